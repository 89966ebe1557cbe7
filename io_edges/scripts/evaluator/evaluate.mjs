// Evaluates one script, and answers with its default export as JSON or with why there is none.
//
// Standard input brings one request, [nonce, url, folder]. The answer is the last line of standard output: the
// nonce, which no other line begins with, and JSON. Everything else there is the script's.

import { isModuleNamespaceObject } from "node:util/types";
import { isUntouched, original, written } from "./hooks.mjs";

const request = new Uint8Array(65536);
let length = 0;
for (let count; (count = Deno.stdin.readSync(request.subarray(length))); ) length += count;
const [nonce, url, folder] = JSON.parse(new TextDecoder().decode(request.subarray(0, length)));
const home = Deno.env.get("TOOL_SCRIPT_HOME"); // of the user: Deno itself has been given another
Deno.env.delete("TOOL_SCRIPT_HOME");
if (home === undefined) Deno.env.delete("HOME");
else Deno.env.set("HOME", home);
Error.stackTraceLimit = 100; // enough for the script's own frame
const encode = TextEncoder.prototype.encode.bind(new TextEncoder());
const write = Deno.stdout.writeSync.bind(Deno.stdout);
const { stringify } = JSON;
const presets = (globalThis[Symbol.for("tool.presets")] = new Set());
const LEVELS = 64;
const SIZE = 1024 * 1024; // characters of the data
const TEXT = 8192; // characters of a text about an error
const REASONS = 8;

function answer(kind, facts = {}) {
  const bytes = encode(`\n${nonce}${stringify({ kind, ...facts })}\n`);
  for (let at = 0; at < bytes.length; ) at += write(bytes.subarray(at));
  Deno.exit(0);
}

class NotData {
  #facts;
  constructor(detail, path) {
    const steps = path.map((step) => (typeof step === "number" ? step : shortened(step)));
    this.#facts = { detail: detail.slice(0, TEXT), path: steps };
  }
  get facts() {
    return this.#facts;
  }
  // Asks nothing of what was thrown, which may be a Proxy.
  static is(error) {
    return typeof error === "object" && error !== null && #facts in error;
  }
}

// Refuses what JSON would leave out or change. `above` are the objects around the value.
let size = 0;
function check(value, path, above) {
  const refuse = (detail) => { throw new NotData(detail, path); };
  size += typeof value === "string" ? value.length + 3 : 3;
  if (size > SIZE) refuse("more than 1 MiB");
  switch (typeof value) {
    case "string": return value.isWellFormed() || refuse("a string that is not Unicode text");
    case "number": return Number.isFinite(value) || refuse(`${value}`);
    case "boolean": return;
    case "object": break;
    default: refuse(typeof value === "undefined" ? "undefined" : `a ${typeof value}`);
  }
  if (value === null) return;
  if (above.includes(value)) refuse("a cycle");
  if (above.length >= LEVELS) refuse(`more than ${LEVELS} levels`);
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) check(value[at], [...path, at], [...above, value]);
    return;
  }
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    refuse(`an instance of ${value.constructor?.name || "a class"}`);
  }
  if (Object.getOwnPropertySymbols(value).some((key) => Object.prototype.propertyIsEnumerable.call(value, key))) {
    refuse("a symbol as a key");
  }
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined) continue;
    size += key.length + 3;
    if (!key.isWellFormed()) throw new NotData("a key that is not Unicode text", [...path, key]);
    check(member, [...path, key], [...above, value]);
  }
}

function shortened(key) {
  return key.slice(0, SIZE).toWellFormed(); // which may cut a character in two
}

// What lies behind an error: its cause, and the errors that it gathers.
function reasons(error, levels = 4) {
  try {
    const behind = [...(Array.isArray(error.errors) ? error.errors : []), ...(error.cause == null ? [] : [error.cause])];
    const texts = behind.slice(0, REASONS).flatMap((each) => [`${each}`, ...(levels ? reasons(each, levels - 1) : [])]);
    return texts.slice(0, REASONS).map((each) => shortened(each).slice(0, TEXT / REASONS).toWellFormed());
  } catch {
    return [];
  }
}

// What Deno makes of an error in a module that is required: its name, its message and its stack are all in the message.
const REQUIRED = /^(\w+): ([^]*?)\n {4}at [^]*\bloadESMFromCJS\b/;

// What was thrown, whatever it is, as far as it is text.
function threw(caught) {
  const error = original(caught);
  const text = (of) => {
    try {
      const made = of();
      return typeof made === "string" ? made.slice(0, TEXT).toWellFormed() : "";
    } catch {
      return "";
    }
  };
  const isObject = typeof error === "object" && error !== null;
  const message = text(() => (isObject ? error.message : String(error))) || text(() => stringify(error));
  const [, name, words] = REQUIRED.exec(message) ?? [];
  answer("threw", {
    message: words || message || "an object that cannot be read",
    name: name ?? text(() => error.name),
    code: text(() => error.code),
    stack: text(() => written(error.stack)),
    reasons: reasons(error),
  });
}

function nameOf(value) {
  if (value === null || value === undefined) return `${value}`;
  return Array.isArray(value) ? "an array" : `a ${typeof value}`;
}

// What `import(…)` gives has the data as its default export.
function unwrapped(value) {
  return isModuleNamespaceObject(value) && "default" in value ? value.default : value;
}

async function main() {
  try {
    const namespace = await import(url);
    const common = namespace["module.exports"];
    const isObject = typeof common === "object" && common !== null;
    if (!("default" in namespace) || (isObject && isUntouched(common))) answer("no default export");
    let value = namespace.default;
    if (value?.__esModule === true && "default" in value) value = value.default;
    const preset = presets.has(value);
    value = unwrapped(await value);
    if (typeof value === "function") {
      if (/^class\b/.test(Function.prototype.toString.call(value))) answer("not an object", { detail: "a class" });
      value = unwrapped(await value());
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      answer("not an object", { detail: nameOf(value) });
    }
    check(value, [], []);
    answer("data", { data: value, preset });
  } catch (error) {
    if (NotData.is(error)) answer("not data", error.facts);
    threw(error);
  }
}

addEventListener("unhandledrejection", (event) => threw(event.reason));
addEventListener("error", (event) => threw(event.error));
addEventListener("beforeunload", () => answer("ended early", { detail: "it waits for a promise that never settles" }));
try {
  Deno.chdir(folder);
} catch {
  // the current folder is outside the project: the project's root stays
}
main();
