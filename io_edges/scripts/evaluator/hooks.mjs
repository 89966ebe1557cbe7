// Loads modules as people write them, with the hooks of `node:module`: a link leads to its file; a file that parses as the
// body of a function is CommonJS, whatever its suffix or a package.json says; JSON needs no attribute; a module may use
// `require`, `__dirname` and `__filename`; `tool` is the tool's own package. The rest is Deno's.

import { createRequire, isBuiltin, Module, registerHooks, SourceMap } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { constants } from "node:vm";
import * as shipped from "tool"; // part of this graph, so that the script needs no permission to read it
import {
  compiled, contents, escaped, files, followed, isInstalled, isMisnamed, isTyped, manifestOf, mapped, nearest, outside, packageType,
  pathOf, PROJECT, readable, textOf, unloaded, withoutTypes,
} from "./files.mjs";
import "./process.mjs";

const { stringify } = JSON;
const OTHER = /^file:[^?#]*\.(?!(?:[cm]?[jt]sx?|json|wasm|node)$)\w+$/i; // a file that is no script
const TOOL = import.meta.resolve("tool");
const PROCESS = import.meta.resolve("./process.mjs");
const REQUIRED = Object.entries(shipped).map(([name, value]) => `exports.${name}=${value};`).join("");
const RENAMED = ".hooked.mjs"; // of a module whose suffix or package says CommonJS; the tool knows this form of an address
const FACADE = `${RENAMED}?exports=`; // of a module that exports what a CommonJS file does, by the names that are imported
const thrown = []; // by these hooks: Deno gives only their text on
const untouched = new WeakSet(); // what CommonJS files were given to export

// Whether a CommonJS file has nothing to do with exports.
export const isUntouched = (value) => untouched.has(value) && Object.keys(value).length === 0;

// The error that a hook has thrown, where Deno throws another in its place.
export const original = (error) => thrown.findLast((each) => `${each}` === error?.message) ?? error;

const isRequired = (context) => context.conditions?.includes("require") ?? false;
const own = (format, source) => ({ format, source, shortCircuit: true });
const at = (url) => ({ url, shortCircuit: true });
const made = (code) => at(`data:text/javascript,${encodeURIComponent(code)}`); // a module that needs no hook to be loaded

function fail(error, place = "") {
  error.stack = `${error}${place && `\n    at ${place}`}`;
  thrown.push(error);
  throw error;
}

// The names that a file imports from another, as far as it says: `*` are all.
function imported(specifier, parent) {
  const text = files.get(parent)?.text;
  if (text === undefined) return parent?.startsWith(PROJECT) ? "*" : "";
  const quoted = `["']${escaped(specifier)}["']`;
  const clauses = [...text.matchAll(new RegExp(`\\b(?:import|export)\\b([^"'\`;()]*?)\\bfrom\\s*${quoted}`, "g"))].map((found) => found[1]);
  if (/\bimport\s*\(/.test(text) || clauses.some((clause) => clause.includes("*"))) return "*";
  const lists = clauses.flatMap((clause) => /\{([^}]*)/.exec(clause)?.[1].split(",") ?? []);
  return lists.map((name) => name.trim().split(/\s/)[0]).filter((name) => /^[\w$]+$/.test(name) && !/^(type|default)$/.test(name)).join();
}

function resolve(specifier, context, next) {
  if (specifier === "tool") return at(isRequired(context) ? `${TOOL}.cjs` : TOOL);
  if (isRequired(context) || context.parentURL === PROCESS) return next(specifier, context);
  if (/^(node:)?process$/.test(specifier)) return at(PROCESS);
  const parent = context.parentURL?.replace(RENAMED, "");
  const from = outside.get(parent) ?? parent;
  const found = followed(resolved(specifier, from, context, next));
  const url = found.replace(/[?#].*/s, "");
  if (!isLoading && !context.importAttributes?.type && /\.json$/i.test(url)) return made(`export default ${json(url)};`);
  if (!isOurs(url)) return at(found);
  const { isCommon, code } = asked(url, () => placeOf(specifier, parent));
  const isNamed = /\.c[jt]s$/i.test(url);
  if (isCommon && !isLoading) return made(facade(url, imported(specifier, parent), exportedIn));
  if (isCommon && (!isNamed || isInstalled(url))) return at(`${url}${FACADE}${imported(specifier, parent)}`);
  return at(!isLoading ? found : code !== undefined && !isCommon && (isNamed || packageType(url) === "commonjs") ? url + RENAMED : found);
}

// A file by its contents. If it cannot be read, the error has the place of who imports it.
function asked(url, place) {
  try {
    return contents(url);
  } catch (error) {
    if (error.code === "ENOENT") fail(missing(url), place());
    if (error.name === "NotCapable" && url.startsWith(PROJECT)) return {}; // below `/dev`, where only Deno itself may read
    fail(error, place());
  }
}

const missing = (what) => unloaded(`Cannot find module '${what}'`);

// The address that a specifier stands for. Deno takes a package that it does not find for a file beside the one that asks.
function resolved(specifier, from, context, next) {
  if (isInstalled(from) && isTyped(from) && /^\./.test(specifier)) return nearest(specifier, from);
  const { url } = next(specifier, from === context.parentURL ? context : { ...context, parentURL: from });
  const isLost = /^(?!file:|data:|blob:|https?:|jsr:)\w+:/.test(specifier)
    ? !isBuiltin(specifier)
    : !/^(?:\.|\/|\w+:)/.test(specifier) && url === new URL(specifier[0] === "#" ? specifier : `./${specifier}`, from).href;
  if (!isLost) return url;
  try {
    createRequire(from).resolve(specifier);
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") fail(error, placeOf(specifier, from));
    const [, file] = /module '(\/[^']*)'/.exec(error.message) ?? []; // which its package names
    if (file) fail(missing(pathToFileURL(file).href), placeOf(specifier, from));
    fail(missing(specifier), placeOf(specifier, from));
  }
  // It is there: above the project, a broken `package.json` keeps Deno from it, for a file that has none in the project.
  const manifest = /^[#/.]|:/.test(specifier) ? undefined : manifestOf(specifier, from);
  if (manifest) return next(specifier, { ...context, parentURL: manifest }).url;
  fail(missing(specifier), placeOf(specifier, from));
}

// Whether these hooks look at a file: not at the tool's own, nor at JavaScript of packages that is what they say.
function isOurs(url) {
  const isScript = /^file:[^?#]*\.[cm]?[jt]sx?$/i.test(url) && url !== TOOL && url !== PROCESS;
  return isScript && (isTyped(url) || !isInstalled(url) || isMisnamed(url));
}

// Where a file names what it imports: the file alone, if it does so twice.
function placeOf(specifier, parent) {
  const parts = `${readable(parent)}`.split(new RegExp(`(?=["']${escaped(specifier)}["'])`));
  const lines = parts[0].split("\n");
  return `${parent}:${parts.length === 2 ? `${lines.length}:${lines.at(-1).length + 1}` : "0:0"}`;
}

// A module that exports what a CommonJS file does: the names that are imported, or all.
globalThis[Symbol.for("tool")] = (url) => createRequire(url)(pathOf(url));
function facade(url, wanted, all = exportedBy) {
  const { text } = files.get(url);
  const isNamed = (name) => /\w/.test(name) && new RegExp(`(?<![\\w$])${escaped(name)}(?![\\w$])`).test(text);
  const names = wanted === "*" ? all(url) : wanted.split(",").filter(isNamed);
  const each = names.map(stringify).map((name, at) => `const e${at}=all[${name}];export{e${at} as ${name}};`).join("");
  return `const all=globalThis[Symbol.for("tool")](${stringify(url)});export{all as default,all as "module.exports"};${each}`;
}

// The names that a CommonJS file exports, for which it is run.
function exportedBy(url) {
  try {
    return Object.keys(Object(createRequire(url)(pathOf(url)))).filter((name) => !/^(default|module\.exports)$/.test(name));
  } catch {
    return []; // it throws again where it is asked
  }
}

// The same as far as its text says: where the hook for loading is off, none may be run.
function exportedIn(url) {
  const names = [...files.get(url).text.matchAll(/\bexports\.([\w$]+)\s*=/g)].map((found) => found[1]);
  return [...new Set(names)].filter((name) => name !== "default");
}

function json(url) {
  const text = textOf(url);
  try {
    JSON.parse(text);
    return text;
  } catch ({ message }) {
    const [, words, line, column] = /^(.*?)(?: in JSON at position \d+)? \(line (\d+) column (\d+)\)$/s.exec(message) ?? [, message, 0, 0];
    fail(new SyntaxError(`${words} at ${url}:${line}:${column}`));
  }
}

// A file that Deno can read and these hooks cannot.
function unread(url, made) {
  const text = made.source instanceof Uint8Array ? new TextDecoder().decode(made.source) : made.source;
  if (typeof text !== "string" || !isOurs(url) || !compiled(text)) return made;
  files.set(url, { text, code: text, isCommon: true });
  return own("module", facade(url, "*"));
}

// What the compiler says of a file, in one line.
function placed(message, url) {
  const [, words] = /^(?:SyntaxError: )?(.*)/.exec(message);
  const [, place] = /stripTypeScriptTypes\.ts(:\d+:\d+)/.exec(message) ?? [];
  return `${words} at ${url}${place ?? ":0:0"}`;
}

function load(url, context, next) {
  if (url === `${TOOL}.cjs`) return own("commonjs", REQUIRED);
  const [address, names] = url.split(FACADE);
  if (names !== undefined) return own("module", facade(address, names));
  const real = url.replace(RENAMED, "");
  try {
    const { type } = context.importAttributes ?? {};
    if (/^file:[^?#]*\.json$/i.test(url) && (!type || type === "json")) {
      const text = json(url);
      if (type) return own("json", text);
      const value = `JSON.parse(${stringify(text)})`;
      return isRequired(context) ? own("commonjs", `module.exports=${value};`) : own("module", `export default ${value};`);
    }
    if (!type && !isRequired(context) && OTHER.test(url)) fail(unloaded(`Cannot load a file that is no script: ${url}`));
    if (!isOurs(real)) return next(url, context);
    const { isCommon, code, map, message } = contents(real);
    if (isRequired(context) && isCommon) return own("commonjs", code);
    if (url !== real) return own("module", withAddress(real, mapped(code, map)));
    if (isInstalled(real) && message) fail(new SyntaxError(placed(message, real)));
    if (isInstalled(real)) return own("module", mapped(code, map));
  } catch (error) {
    if (thrown.includes(error)) throw error;
    const made = next(url, context); // Deno says what is missing or denied
    return isRequired(context) ? made : unread(real, made);
  }
  const { text, code, map } = files.get(real);
  const made = next(url, context);
  if (!isTyped(real) || isRequired(context) || code === undefined) return made;
  const source = /^import\s+\S+\s*=/m.test(text) ? mapped(code, map) : made.source; // which Deno takes for CommonJS
  return typeof source === "string" ? own("module", withoutTypes(real, source)) : made;
}

// The code of a module that is loaded under another address than its own.
function withAddress(url, code) {
  if (!/\bimport\.meta\b/.test(code)) return code;
  const facts = stringify({ url, filename: pathOf(url), dirname: dirname(pathOf(url)) });
  return `Object.assign(import.meta,${facts});${code}`;
}
registerHooks({ resolve });
let loading = registerHooks({ load });
let isLoading = true;

// Requires a file. A module that Deno can load by itself is required without the hook for loading: beside that, Deno
// resolves none of its imports, and makes a second instance of a module that is imported, too.
const loadFile = Module.prototype.load;
Module.prototype.load = function (name) {
  const isModule = isPlainModule(pathToFileURL(name).href);
  const before = isLoading;
  setLoading(!isModule && !/\.node$/i.test(name)); // native code, which Deno refuses, and would be read as a script
  try {
    if (!isModule) return loadFile.call(this, name);
    this.filename = name;
    Module._extensions[".mjs"](this, name); // whatever its suffix
    this.loaded = true;
  } finally {
    setLoading(before);
  }
};

function setLoading(isOn) {
  if (isOn && !isLoading) loading = registerHooks({ load });
  if (!isOn && isLoading) loading.deregister();
  isLoading = isOn;
}

// Whether a file is a module that Deno loads by itself.
function isPlainModule(url) {
  if (!/\.(mjs|[jt]s)$/i.test(url)) return false;
  if (isInstalled(url) && /\.mjs$/i.test(url)) return true;
  if (isInstalled(url) && !isTyped(url)) return packageType(url) === "module" && !isMisnamed(url);
  const { text, isCommon, code } = asked(url, () => "");
  return code !== undefined && !isCommon && packageType(url) !== "commonjs" && !/^import\s+\S+\s*=/m.test(text);
}

// Runs CommonJS under a name for which Deno has no map of its own.
const running = [];
const compile = Module.prototype._compile;
Module.prototype._compile = function (code, name, ...rest) {
  untouched.add(this.exports);
  const { href } = pathToFileURL(name);
  const file = files.get(href);
  if (!file?.isCommon) return compile.call(this, code, name, ...rest);
  const filename = isTyped(href) ? href + RENAMED : href;
  const body = compiled(file.code, { filename, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER });
  running.push(this);
  try {
    return body.call(this.exports, this.exports, createRequire(href), this, name, dirname(name));
  } finally {
    running.pop();
  }
};
Object.defineProperty(globalThis, "export_", { set: (value) => (running.at(-1).exports = value) }); // `export =`

// A stack with the places in the files as written.
export function written(stack) {
  return stack.replace(/(file:\/\/.*?)\.hooked\.mjs(?::(\d+):(\d+))?/g, (_, url, line, column) => {
    const map = files.get(url)?.map;
    if (!line || !map) return `${url}${line ? `:${line}:${column}` : ""}`;
    const { originalLine, originalColumn } = new SourceMap(map).findEntry(line - 1, column - 1);
    return `${url}:${originalLine + 1}:${originalColumn + 1}`;
  });
}

// A module has the names of CommonJS, too: they are those of the file that asks. Packages have none, as in Node.
function caller() {
  const frames = new Error().stack.split("\n").slice(3).join("\n");
  return /(file:\/\/.*?):\d+:\d+\)?$/m.exec(frames)?.[1].replace(RENAMED, "");
}
const GIVEN = { require: createRequire, __filename: fileURLToPath, __dirname: (url) => dirname(fileURLToPath(url)) };
for (const [name, give] of Object.entries(GIVEN)) {
  const get = () => {
    const url = caller();
    return url?.startsWith(PROJECT) && !isInstalled(url) ? give(url) : undefined;
  };
  Object.defineProperty(globalThis, name, { get, configurable: true });
}
