// The wire for a tokenizer in JavaScript, so that an adapter is a few lines. Written from docs/wire.md; nothing but
// Node's own modules.
//
//     import { serve } from "./serve.mjs";
//     import tokenizer from "the-package";
//     serve({ encode: (text) => tokenizer.encode(text), decode: (ids) => tokenizer.decode(ids) });
//
// What each function takes and returns is in docs/verify.md.

import { writeSync } from "node:fs";

const MOST_PRINTED = 200;

// --- values

const readers = {
  bytes: (hex) => Uint8Array.from(Buffer.from(hex, "hex")),
  text: (codes) => codes.map((code) => String.fromCodePoint(code)).join(""),
  str: (text) => text,
  list: (items) => items.map(read),
  tuple: (items) => items.map(read),
  int: (hex) => (hex.startsWith("-") ? -BigInt(`0x${hex.slice(1)}`) : BigInt(`0x${hex}`)),
  float: (hex) => floatOf(hex),
};

function floatOf(hex) {
  const match = /^(-?)0x([01])\.([0-9a-f]*)p([+-]\d+)$/.exec(hex);
  if (match === null) return { inf: Infinity, "-inf": -Infinity }[hex] ?? NaN;
  const [, sign, whole, digits, power] = match;
  const size = (Number(whole) + parseInt(digits || "0", 16) / 16 ** digits.length) * 2 ** Number(power);
  return sign === "-" ? -size : size;
}

function read(tree) {
  if (Array.isArray(tree)) return tree.map(read);
  if (tree === null || typeof tree !== "object") return tree;
  const tag = Object.keys(tree).find((key) => key in readers);
  if (tag === undefined) throw new TypeError(`no value has the tag ${Object.keys(tree)[0]}`);
  return readers[tag](tree[tag]);
}

function write(value) {
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : { float: hexOf(value) };
  if (typeof value === "string") return value.isWellFormed() ? value : { text: [...value].map((c) => c.codePointAt(0)) };
  if (typeof value === "bigint") return { int: value.toString(16) };
  if (value === null || typeof value === "boolean") return value;
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString("hex") };
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return Array.from(value, write);
  return { foreign: value === undefined ? "undefined" : value.constructor?.name ?? typeof value };
}

function hexOf(number) {
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "nan" : number > 0 ? "inf" : "-inf";
  const sign = number < 0 ? "-" : "";
  let [size, power] = [Math.abs(number), 0];
  for (; size >= 2; power += 1) size /= 2;
  for (; size !== 0 && size < 1; power -= 1) size *= 2;
  const [whole, digits = "0"] = size.toString(16).split(".");
  return `${sign}0x${whole}.${digits}p${power < 0 ? "" : "+"}${power}`;
}

// --- the conversation

export function serve(functions) {
  let printed = "";
  process.stdout.write = (text) => {
    printed = (printed + text).slice(0, MOST_PRINTED);
    return true;
  };
  const offers = { printed: () => printed, ...functions };
  for (const [name, one] of Object.entries(functions)) {
    offers[`${name}_many`] = (items) => items.map((item) => attempt(() => one(item)));
  }
  const names = Object.keys(offers);
  const answer = (request) => {
    if (request.hello) return { ok: { protocol: 1, offers: names } };
    if (request.batch) return { batch: request.batch.map((one) => result(offers, one)) };
    return request.bye ? { ok: null } : result(offers, request);
  };
  eachLine((line) => {
    const request = JSON.parse(line);
    say({ id: request.id, ...answer(request) });
    if (request.bye) process.exit(0);
  });
}

// Only 0x0A ends a line: node:readline also cuts at U+2028 and U+2029, which stand in texts.
function eachLine(take) {
  let parts = [];
  process.stdin.on("data", (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10)) {
      const line = Buffer.concat([...parts, chunk.subarray(0, at)]).toString("utf8");
      [parts, chunk] = [[], chunk.subarray(at + 1)];
      take(line);
    }
    if (chunk.length > 0) parts.push(chunk);
  });
}

// Where one of many fails, null stands in its place, and the judge asks for it alone.
function attempt(call) {
  try {
    return call() ?? null;
  } catch {
    return null;
  }
}

function result(offers, { call, args }) {
  try {
    return { ok: write(offers[call](...args.map(read))) };
  } catch (error) {
    const type = { TypeError: "TypeError", RangeError: "ValueError" }[error?.name] ?? "RuntimeError";
    return { error: { type: String(error?.name ?? "Error"), bases: [type], message: String(error?.message ?? error) } };
  }
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
