// GPT-2's byte map over the wire, and its encoding where the two vocabulary files are given. Written from docs/wire.md;
// nothing but Node's own modules.
//
//     node bytemap.mjs [encoder.json vocab.bpe]

import { readFileSync, writeSync } from "node:fs";

// --- the byte map

const kept = (byte) => (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
const toChar = [];
for (let byte = 0, remapped = 0; byte < 256; byte += 1) {
  toChar.push(String.fromCodePoint(kept(byte) ? byte : 256 + remapped));
  if (!kept(byte)) remapped += 1;
}
const toByte = new Map(toChar.map((char, byte) => [char, byte]));

function encodeBytes(data) {
  if (!(data instanceof Uint8Array)) throw failure("TypeError", "encode_bytes takes bytes");
  return Array.from(data, (byte) => toChar[byte]).join("");
}

function decodeChars(text) {
  if (typeof text !== "string") throw failure("TypeError", "decode_chars takes text");
  return Uint8Array.from([...text], (char, index) => {
    if (!toByte.has(char)) throw failure("ValueError", `character ${index} is the image of no byte`);
    return toByte.get(char);
  });
}

// --- finite maps: arrays of pairs, since a key may be any value

// Equal values have equal names: numbers and booleans by value, all else by its kind and contents.
function nameOf(value) {
  if (typeof value === "boolean") return String(Number(value));
  if (value instanceof Uint8Array) return `bytes ${Buffer.from(value).toString("hex")}`;
  if (value instanceof Tuple) return `tuple ${JSON.stringify(value.items.map(nameOf))}`;
  return typeof value === "string" ? `text ${JSON.stringify(value)}` : String(value);
}

const imageOf = (pairs) => new Set(pairs.map(([, value]) => nameOf(value)));

function isSurjective(map, codomain) {
  const targets = new Set((codomain.items ?? codomain).map(nameOf));
  const image = imageOf(map.pairs);
  for (const value of image) {
    if (!targets.has(value)) throw failure("ValueError", `${value} is outside the codomain`);
  }
  return image.size === targets.size;
}

function inverse(map) {
  const seen = new Set();
  const turned = map.pairs.map(([key, value]) => {
    if (seen.has(nameOf(value))) throw failure("ValueError", `two keys share the value ${nameOf(value)}`);
    seen.add(nameOf(value));
    return [value, key];
  });
  return new PairMap(turned);
}

// --- GPT-2

// Blanks by their property: \s of JavaScript lacks U+0085, and has U+FEFF.
const PATTERN =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

class Gpt2 {
  constructor(encoderFile, mergesFile) {
    this.ids = new Map(Object.entries(JSON.parse(readFileSync(encoderFile, "utf8"))));
    this.tokens = new Map([...this.ids].map(([token, id]) => [id, token]));
    const merges = readFileSync(mergesFile, "utf8").split("\n").slice(1).filter(Boolean);
    this.ranks = new Map(merges.map((pair, rank) => [pair, rank]));
    this.known = new Map();
  }

  merge(token) {
    if (this.known.has(token)) return this.known.get(token);
    let word = [...token];
    for (;;) {
      let [best, at] = [Infinity, -1];
      for (let index = 0; index + 1 < word.length; index += 1) {
        const rank = this.ranks.get(`${word[index]} ${word[index + 1]}`);
        if (rank !== undefined && rank < best) [best, at] = [rank, index];
      }
      if (at < 0) break;
      const [left, right] = [word[at], word[at + 1]];
      const merged = [];
      for (let index = 0; index < word.length; index += 1) {
        const here = word[index] === left && word[index + 1] === right;
        merged.push(here ? left + right : word[index]);
        if (here) index += 1;
      }
      word = merged;
    }
    const ids = word.map((symbol) => this.ids.get(symbol));
    this.known.set(token, ids);
    return ids;
  }

  encode(text) {
    if (typeof text !== "string") throw failure("TypeError", "encode takes text");
    if (!text.isWellFormed()) throw failure("ValueError", "a lone surrogate has no UTF-8");
    const pieces = text.match(PATTERN) ?? [];
    return pieces.flatMap((piece) => this.merge(encodeBytes(new TextEncoder().encode(piece))));
  }

  decode(ids) {
    const text = ids.map((id) => {
      if (!this.tokens.has(id)) throw failure("ValueError", `no token has the id ${id}`);
      return this.tokens.get(id);
    });
    return new TextDecoder("utf-8", { ignoreBOM: true }).decode(decodeChars(text.join("")));
  }
}

// --- values

class Tuple {
  constructor(items) {
    this.items = items;
  }
}

class PairMap {
  constructor(pairs) {
    this.pairs = pairs;
  }
}

const readers = {
  bytes: (hex) => Uint8Array.from(Buffer.from(hex, "hex")),
  bytearray: (hex) => Uint8Array.from(Buffer.from(hex, "hex")),
  text: (codes) => String.fromCodePoint(...codes),
  str: (text) => text,
  int: (hex) => (hex.startsWith("-") ? -BigInt(`0x${hex.slice(1)}`) : BigInt(`0x${hex}`)),
  list: (items) => items.map(read),
  set: (items) => items.map(read),
  frozenset: (items) => items.map(read),
  tuple: (items) => new Tuple(items.map(read)),
  map: (pairs) => new PairMap(pairs.map(([key, value]) => [read(key), read(value)])),
};

function read(tree) {
  if (Array.isArray(tree)) return tree.map(read);
  if (tree === null || typeof tree !== "object") return tree;
  const tag = Object.keys(tree).find((key) => key in readers);
  if (tag === undefined) throw failure("NotImplementedError", `no value has the tag ${Object.keys(tree)[0]}`);
  return readers[tag](tree[tag]);
}

function write(value) {
  if (Array.isArray(value)) return value.map(write);
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (value instanceof Tuple) return { tuple: value.items.map(write) };
  if (value instanceof PairMap) return { map: value.pairs.map(([key, held]) => [write(key), write(held)]) };
  if (typeof value === "bigint") return { int: value.toString(16) };
  if (typeof value === "string" && !value.isWellFormed()) {
    return { text: [...value].map((char) => char.codePointAt(0)) };
  }
  return value;
}

// --- the conversation

function failure(type, message) {
  return Object.assign(new Error(message), { type });
}

const offers = {
  bytes_to_unicode: () => new PairMap(toChar.map((char, byte) => [byte, char])),
  unicode_to_bytes: () => new PairMap([...toByte]),
  encode_bytes: encodeBytes,
  decode_chars: decodeChars,
  is_injective: (map) => imageOf(map.pairs).size === map.pairs.length,
  is_surjective: isSurjective,
  inverse,
};
if (process.argv.length === 4) {
  const gpt2 = new Gpt2(process.argv[2], process.argv[3]);
  offers.encode = (text) => gpt2.encode(text);
  offers.decode = (ids) => gpt2.decode(ids);
}

function result({ call, args }) {
  try {
    if (!Object.hasOwn(offers, call)) throw failure("NotImplementedError", `no function ${call}`);
    return { ok: write(offers[call](...args.map(read))) };
  } catch (error) {
    const type = error.type ?? "RuntimeError";
    return { error: { type, bases: [type], message: error.message } };
  }
}

function answer(request) {
  if (request.hello) return { ok: { protocol: 1, offers: Object.keys(offers) } };
  if (request.bye) return { ok: null };
  if (request.batch) return { batch: request.batch.map(result) };
  return result(request);
}

function say(frame) {
  const line = Buffer.from(`${JSON.stringify(frame)}\n`);
  for (let sent = 0; sent < line.length; ) {
    try {
      sent += writeSync(1, line, sent);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

// Only 0x0A ends a line: node:readline also cuts at U+2028 and U+2029, which stand in texts.
let parts = [];
for await (let chunk of process.stdin) {
  for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10)) {
    const request = JSON.parse(Buffer.concat([...parts, chunk.subarray(0, at)]).toString("utf8"));
    [parts, chunk] = [[], chunk.subarray(at + 1)];
    say({ id: request.id, ...answer(request) });
    if (request.bye) process.exit(0);
  }
  parts.push(chunk);
}
