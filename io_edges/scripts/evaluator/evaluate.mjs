// Evaluates one script and gives its default export as JSON, or a report of why not.
//
// Standard input brings one request: { nonce, url, cwd, hide, loosened }. The answer leaves on standard output in
// frames of one write each: a newline, the nonce, a letter, a piece of text, a newline. The letter says that the
// evaluator has started (.), that more follows (+), that this was the last piece of the data (=) or of a report (!). The script runs in
// this same process, so whatever it prints may stand between frames; it does not know the nonce, and everything
// that is used after it has started is taken hold of before, so that no change it makes to a built-in counts.

import "tool"; // part of this graph, so that the script needs no permission to read it

const { exit } = Deno;
const { parse, stringify } = JSON;
const { getOwnPropertySymbols, getPrototypeOf, keys } = Object;
const { isArray } = Array;
const { isFinite } = Number;
const { wait } = Atomics;
const method = (of) => Function.prototype.call.bind(of);
const isWellFormed = method(String.prototype.isWellFormed);
const includes = method(String.prototype.includes);
const isEnumerable = method(Object.prototype.propertyIsEnumerable);
const lengthOf = method(Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "length").get);
const Bytes = Uint8Array;
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const read = Deno.readTextFileSync;
const write = Deno.stdout.writeSync.bind(Deno.stdout);
const blocked = new Int32Array(new SharedArrayBuffer(4));
const toWellFormed = method(String.prototype.toWellFormed);
const slice = method(String.prototype.slice);
const toText = String;

const PIPE = 4000; // bytes that a pipe takes in one piece, whoever else writes to it
const LEVELS = 64;
const SIZE = 1024 * 1024; // characters
const KEY = 200; // characters of a key in a report
const UNREADABLE = "an object that cannot be read";
const PART = 8192; // characters of each text in a report

function requested() {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65536);
  let text = "";
  for (let count; (count = Deno.stdin.readSync(buffer)) !== null; ) {
    text += decoder.decode(buffer.subarray(0, count), { stream: true });
  }
  if (text === "") exit(1); // the tool is gone
  return parse(text);
}

const { nonce, url, cwd, hide, loosened } = requested();
const file = new URL(url);
const head = encode(`\n${nonce}`);
const headLength = lengthOf(head);

// Sends the text, then waits for the end: the tool ends this process as soon as it has the last frame.
function finish(letter, text) {
  const bytes = encode(text);
  const length = lengthOf(bytes);
  const room = PIPE - headLength - 2;
  let at = 0;
  do {
    const end = at + room < length ? at + room : length;
    send(end < length ? "+" : letter, bytes, at, end);
    at = end;
  } while (at < length);
  wait(blocked, 0, 0, 2000);
  exit(0);
}

// Nothing here asks an array for its length or makes one of another: a script could listen, and learn the nonce.
function send(letter, bytes, from, to) {
  const length = headLength + to - from + 2;
  const frame = new Bytes(length);
  for (let i = 0; i < headLength; i++) frame[i] = head[i];
  frame[headLength] = letter === "." ? 46 : letter === "+" ? 43 : letter === "=" ? 61 : 33;
  for (let i = from; i < to; i++) frame[headLength + 1 + i - from] = bytes[i];
  frame[length - 1] = 10;
  try {
    if (write(frame) !== length) exit(1); // a pipe takes so little in one piece
  } catch {
    exit(1); // the script has closed the stream
  }
}

class NotData {
  kind;
  at;
  #own;
  constructor(kind, at) {
    this.kind = kind;
    this.at = at;
  }
  // Asks nothing of what was thrown, which may be a Proxy.
  static is(error) {
    return typeof error === "object" && error !== null && #own in error;
  }
}

function report(kind, detail, path) {
  finish("!", `{"kind":${stringify(kind)},"detail":${part(detail)},"path":[${path}]}`);
}

// The steps to a place, innermost first, as the text of a JSON array. A key that is long is cut.
function steps(at) {
  let text = "";
  for (; at.above; at = at.above) text = step(at.key) + (text && ",") + text;
  return text;
}

function step(key) {
  if (typeof key === "number") return `${key}`;
  const short = key.length > KEY ? `${slice(key, 0, KEY)}\u2026` : key;
  return stringify(toWellFormed(short));
}

// The JSON of plain data. `at` is the place: { key, above, value }.
let size = 0;
function grow(by, at) {
  if ((size += by) > SIZE) throw new NotData("more than 1 MiB", at);
}

function json(value, at) {
  const text = scalar(value, at);
  grow(text === undefined ? 3 : text.length + 1, at);
  if (text !== undefined) return text;
  refuse(value, at);
  return isArray(value) ? list(value, at) : object(value, at);
}

function scalar(value, at) {
  switch (typeof value) {
    case "string":
      if (!isWellFormed(value)) throw new NotData("a string that is not Unicode text", at);
      return stringify(value);
    case "number":
      if (!isFinite(value)) throw new NotData(`${value}`, at);
      return `${value}`;
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : undefined;
    default:
      throw new NotData(typeof value === "undefined" ? "undefined" : `a ${typeof value}`, at);
  }
}

function refuse(value, at) {
  let level = 1;
  for (let outer = at.above; outer; outer = outer.above, level++) {
    if (outer.value === value) throw new NotData("a cycle", at);
  }
  if (level > LEVELS) throw new NotData(`more than ${LEVELS} levels`, at);
  const symbols = getOwnPropertySymbols(value);
  for (let i = 0; i < symbols.length; i++) {
    if (isEnumerable(value, symbols[i])) throw new NotData("a symbol as a key", at);
  }
  if (isArray(value)) return;
  const prototype = getPrototypeOf(value);
  if (prototype !== null && getPrototypeOf(prototype) !== null) throw new NotData(instance(value), at);
}

function instance(value) {
  const name = value.constructor?.name;
  return typeof name === "string" && name ? `an instance of ${name}` : "an instance of a class";
}

function list(value, at) {
  let text = "";
  for (let i = 0; i < value.length; i++) {
    const item = value[i];
    text += (i ? "," : "") + json(item, { key: i, above: at, value: item });
  }
  return `[${text}]`;
}

function object(value, at) {
  const names = keys(value);
  let text = "";
  for (let i = 0; i < names.length; i++) {
    const key = names[i];
    const member = value[key];
    if (member === undefined) continue;
    const place = { key, above: at, value: member };
    if ((size += key.length + 3) > SIZE) throw new NotData("more than 1 MiB", at);
    if (!isWellFormed(key)) throw new NotData("a key that is not Unicode text", place);
    text += `${text && ","}${stringify(key)}:${json(member, place)}`;
  }
  return `{${text}}`;
}

// Whether a file that counts as CommonJS, as one without import and export does, has nothing to do with exports.
function exportsNothing(namespace) {
  const value = namespace["module.exports"];
  return typeof value === "object" && value !== null && keys(value).length === 0 && !includes(read(file), "export");
}

// What a script exports: the default export of a module, also of one that was compiled to CommonJS.
async function exported(namespace) {
  let value = namespace.default;
  if (value?.__esModule === true && "default" in value) value = value.default;
  value = await value;
  return typeof value === "function" ? await value() : value;
}

function nameOf(value) {
  if (value === null || value === undefined) return `${value}`;
  return isArray(value) ? "an array" : `a ${typeof value}`;
}

// What was thrown, whatever it is: name, message, code and stack, each as far as it is text.
function threw(error) {
  const isObject = typeof error === "object" && error !== null;
  const message = asText(() => (isObject ? error.message : typeof error === "symbol" ? "a symbol" : toText(error)));
  const shown = message || (isObject || typeof error === "function" ? asText(() => stringify(error)) || UNREADABLE : "");
  const name = isObject ? asText(() => error.name) : "";
  const code = isObject ? asText(() => error.code) : "";
  const stack = isObject ? asText(() => error.stack) : "";
  finish("!", `{"kind":"threw","name":${part(name)},"message":${part(shown)},"code":${part(code)},"stack":${part(stack)}}`);
}

function asText(make) {
  try {
    const text = make();
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

const part = (text) => stringify(toWellFormed(slice(text, 0, PART))); // which may cut a character in two

async function main() {
  try {
    const namespace = await import(loosened.length ? (await import("./loosen.mjs")).loosen(url, loosened) : url);
    if (!("default" in namespace) || exportsNothing(namespace)) return report("no default export", "", "");
    const value = await exported(namespace);
    if (typeof value !== "object" || value === null || isArray(value)) return report("not an object", nameOf(value), "");
    finish("=", json(value, { key: null, above: null, value }));
  } catch (error) {
    if (NotData.is(error)) return report("not data", error.kind, steps(error.at));
    threw(error);
  }
}

addEventListener("unhandledrejection", (event) => threw(event.reason));
addEventListener("error", (event) => threw(event.error));
addEventListener("beforeunload", () => report("ended early", "it waits for a promise that never settles", ""));
send(".", head, 0, 0); // it has started: what it says from here on is the script's
for (const name of hide) Deno.env.delete(name);
try {
  Deno.chdir(cwd);
} catch {
  // the current folder is outside the project: the project's root stays
}
main();
