// GPT-2's byte map over the wire, with nothing but Rust's standard library. Written from docs/wire.md.
//
//     rustc -O bytemap.rs && ./bytemap

use std::io::{self, BufRead, Write};

// --- the byte map

struct ByteMap {
    chars: Vec<char>,
}

impl ByteMap {
    fn new() -> Self {
        let mut next = 256;
        let chars = (0u32..256)
            .map(|byte| {
                let kept = matches!(byte, 0x21..=0x7e | 0xa1..=0xac | 0xae..=0xff);
                let code = if kept { byte } else { next };
                next += u32::from(!kept);
                char::from_u32(code).expect("no surrogate below 512")
            })
            .collect();
        ByteMap { chars }
    }

    fn encode(&self, data: &[u8]) -> String {
        data.iter().map(|&byte| self.chars[usize::from(byte)]).collect()
    }

    fn decode(&self, text: &str) -> Result<Vec<u8>, Failure> {
        text.chars()
            .enumerate()
            .map(|(index, char)| match self.chars.iter().position(|&known| known == char) {
                Some(byte) => Ok(byte as u8),
                None => Err(Failure::value(format!("character {index} (U+{:04X}) is the image of no byte", char as u32))),
            })
            .collect()
    }
}

// --- values

#[derive(Clone, Debug, PartialEq)]
enum Json {
    Null,
    Bool(bool),
    Number(i64),
    Text(String),
    Array(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn get(&self, wanted: &str) -> Option<&Json> {
        match self {
            Json::Object(pairs) => pairs.iter().find(|(key, _)| key == wanted).map(|(_, value)| value),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Json::Text(text) => Some(text),
            _ => None,
        }
    }

    fn array(&self) -> &[Json] {
        match self {
            Json::Array(items) => items,
            _ => &[],
        }
    }

    /// The bytes of a tagged value; None for a value of another kind.
    fn bytes(&self) -> Option<Vec<u8>> {
        let hex = self.get("bytes").or_else(|| self.get("bytearray"))?.text()?;
        (0..hex.len() / 2).map(|at| u8::from_str_radix(hex.get(2 * at..2 * at + 2)?, 16).ok()).collect()
    }

    fn write(&self, out: &mut String) {
        match self {
            Json::Null => out.push_str("null"),
            Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Json::Number(value) => out.push_str(&value.to_string()),
            Json::Text(text) => quote(text, out),
            Json::Array(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    item.write(out);
                }
                out.push(']');
            }
            Json::Object(pairs) => {
                out.push('{');
                for (index, (key, value)) in pairs.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    quote(key, out);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
        }
    }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for char in text.chars() {
        match char {
            '"' | '\\' => out.extend(['\\', char]),
            '\u{0}'..='\u{1f}' => out.push_str(&format!("\\u{:04x}", char as u32)),
            _ => out.push(char),
        }
    }
    out.push('"');
}

fn object(pairs: Vec<(&str, Json)>) -> Json {
    Json::Object(pairs.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
}

fn text(value: &str) -> Json {
    Json::Text(value.to_string())
}

/// Reads JSON that the judge wrote, and gives up on anything that it never writes.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn skip(&mut self, token: &str) -> Option<()> {
        self.rest = self.rest.trim_start().strip_prefix(token)?;
        Some(())
    }

    fn value(&mut self) -> Option<Json> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next()? {
            'n' => self.skip("null").map(|()| Json::Null),
            't' => self.skip("true").map(|()| Json::Bool(true)),
            'f' => self.skip("false").map(|()| Json::Bool(false)),
            '"' => self.string().map(Json::Text),
            '[' => self.many('[', ']', Parser::value).map(Json::Array),
            '{' => self.many('{', '}', Parser::pair).map(Json::Object),
            _ => self.number(),
        }
    }

    fn many<T>(&mut self, open: char, close: char, item: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.skip(&open.to_string())?;
        let mut items = Vec::new();
        if self.skip(&close.to_string()).is_some() {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.skip(&close.to_string()).is_some() {
                return Some(items);
            }
            self.skip(",")?;
        }
    }

    fn pair(&mut self) -> Option<(String, Json)> {
        self.rest = self.rest.trim_start();
        let key = self.string()?;
        self.skip(":")?;
        Some((key, self.value()?))
    }

    fn number(&mut self) -> Option<Json> {
        let end = self.rest.find(|char: char| !char.is_ascii_digit() && char != '-').unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest;
        digits.parse().ok().map(Json::Number)
    }

    fn string(&mut self) -> Option<String> {
        self.rest = self.rest.strip_prefix('"')?;
        let mut found = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, char)) = chars.next() {
            match char {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Some(found);
                }
                '\\' => match chars.next()?.1 {
                    'n' => found.push('\n'),
                    't' => found.push('\t'),
                    'r' => found.push('\r'),
                    'b' => found.push('\u{8}'),
                    'f' => found.push('\u{c}'),
                    // The judge escapes control characters alone, so no surrogate pair comes this way.
                    'u' => {
                        let digits: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                        found.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                    }
                    other => found.push(other),
                },
                _ => found.push(char),
            }
        }
        None
    }
}

// --- the conversation

struct Failure {
    kind: &'static str,
    message: String,
}

impl Failure {
    fn value(message: String) -> Self {
        Failure { kind: "ValueError", message }
    }

    fn kind(message: &str) -> Self {
        Failure { kind: "TypeError", message: message.to_string() }
    }
}

fn hex(data: &[u8]) -> Json {
    object(vec![("bytes", Json::Text(data.iter().map(|byte| format!("{byte:02x}")).collect()))])
}

fn call(map: &ByteMap, request: &Json) -> Result<Json, Failure> {
    let arguments = request.get("args").map_or(&[][..], Json::array);
    let pairs = || map.chars.iter().enumerate().map(|(byte, char)| (Json::Number(byte as i64), text(&char.to_string())));
    match (request.get("call").and_then(Json::text), arguments) {
        (Some("bytes_to_unicode"), []) => {
            Ok(object(vec![("map", Json::Array(pairs().map(|(byte, char)| Json::Array(vec![byte, char])).collect()))]))
        }
        (Some("unicode_to_bytes"), []) => {
            Ok(object(vec![("map", Json::Array(pairs().map(|(byte, char)| Json::Array(vec![char, byte])).collect()))]))
        }
        (Some("encode_bytes"), [data]) => {
            let data = data.bytes().ok_or_else(|| Failure::kind("encode_bytes takes bytes"))?;
            Ok(Json::Text(map.encode(&data)))
        }
        (Some("decode_chars"), [written]) => match written.text() {
            Some(written) => map.decode(written).map(|data| hex(&data)),
            None if written.get("text").is_some() => Err(Failure::value("a lone surrogate is no image".to_string())),
            None => Err(Failure::kind("decode_chars takes text")),
        },
        _ => Err(Failure { kind: "NotImplementedError", message: "no such function".to_string() }),
    }
}

fn result(map: &ByteMap, request: &Json) -> Vec<(&'static str, Json)> {
    match call(map, request) {
        Ok(value) => vec![("ok", value)],
        Err(failure) => {
            let kind = text(failure.kind);
            let error = vec![
                ("type", kind.clone()),
                ("bases", Json::Array(vec![kind])),
                ("message", Json::Text(failure.message)),
            ];
            vec![("error", object(error))]
        }
    }
}

fn main() -> io::Result<()> {
    let map = ByteMap::new();
    let names = ["bytes_to_unicode", "unicode_to_bytes", "encode_bytes", "decode_chars"];
    let mut output = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let request = Parser { rest: &line }.value().unwrap_or(Json::Null);
        let mut answer = vec![("id", request.get("id").cloned().unwrap_or(Json::Null))];
        if request.get("hello").is_some() {
            let offers = Json::Array(names.iter().map(|name| text(name)).collect());
            answer.push(("ok", object(vec![("protocol", Json::Number(1)), ("offers", offers)])));
        } else if request.get("bye").is_some() {
            answer.push(("ok", Json::Null));
        } else if let Some(calls) = request.get("batch") {
            let results = calls.array().iter().map(|one| object(result(&map, one))).collect();
            answer.push(("batch", Json::Array(results)));
        } else {
            answer.extend(result(&map, &request));
        }
        let mut frame = String::new();
        object(answer).write(&mut frame);
        writeln!(output, "{frame}")?;
        output.flush()?;
        if request.get("bye").is_some() {
            break;
        }
    }
    Ok(())
}
