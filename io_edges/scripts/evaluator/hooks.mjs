// Loads what Deno alone does not, and people write: a file whose contents are CommonJS where its suffix or a package.json
// says module, the reverse, JSON that is imported without an attribute, `require` and `__dirname` in modules, and below
// `node_modules` also `import "tool"` and TypeScript. Used only after a first attempt has failed.

import { createRequire, registerHooks, stripTypeScriptTypes } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { compileFunction } from "node:vm";
import * as shipped from "tool";

const { stringify } = JSON;
const TOOL = import.meta.resolve("tool");
const REQUIRED = Object.entries(shipped).map(([name, value]) => `exports.${name}=${value};`).join("");
const NAMES = ["exports", "require", "module", "__filename", "__dirname"];
const RENAMED = ".hooked.mjs"; // of a file that is a module by its contents: the tool knows this form of an address
const modules = new Map(); // the text of each such module by its address
const made = new Map(); // of each CommonJS file by its URL: what it exports, or what it threw
const untouched = new WeakSet(); // what CommonJS files were given to export

// Whether a CommonJS file has nothing to do with exports.
export const isUntouched = (value) => untouched.has(value) && Object.keys(value).length === 0;

// Modules that stand for CommonJS files ask here, as they may not import this file.
globalThis[Symbol.for("tool")] = (url) => {
  const { exports, thrown } = made.get(url);
  if (thrown) throw thrown.error;
  return exports;
};

// Plain JavaScript, in the same lines if that can be. Throws of what does not parse.
function javascript(url) {
  const text = Deno.readTextFileSync(new URL(url));
  if (!/ts$/i.test(url)) return text;
  try {
    return stripTypeScriptTypes(text);
  } catch {
    const made = stripTypeScriptTypes(text, { mode: "transform" }); // enums, namespaces
    const common = made.replace(/^import (?=\S+ = require\()/gm, "const ").replace(/^export = /m, "module.exports = ");
    return common !== made && compiled(url, common) ? common : made; // of both, it leaves these two as they are
  }
}

// A text as CommonJS; undefined if it does not parse as the body of a function.
function compiled(url, text) {
  try {
    return compileFunction(text, NAMES, { filename: url });
  } catch {
    return undefined;
  }
}

function run(url, body) {
  const module = { exports: {} };
  untouched.add(module.exports);
  made.set(url, module);
  try {
    const file = fileURLToPath(url);
    body.call(module.exports, module.exports, createRequire(url), module, file, dirname(file));
  } catch (error) {
    module.thrown = { error };
  }
}

// A module that exports what a CommonJS file does.
function wrapped(url, body) {
  if (!made.has(url)) run(url, body);
  const { exports } = made.get(url);
  const isObject = (typeof exports === "object" || typeof exports === "function") && exports !== null;
  const names = isObject ? Object.keys(exports).filter((name) => name !== "default" && name !== "module.exports") : [];
  const each = names.map(stringify).map((name, at) => `const e${at}=all[${name}];export{e${at} as ${name}};`).join("");
  return `const all=globalThis[Symbol.for("tool")](${stringify(url)});export{all as default,all as "module.exports"};${each}`;
}

// The module that a file is by its contents; undefined if Deno loads it as it is.
function moduleOf(url) {
  const isDecided = /\.c[jt]s$/i.test(url) || (/ts$/i.test(url) && url.includes("/node_modules/")); // by its name
  try {
    const text = javascript(url);
    const body = compiled(url, text);
    return body ? wrapped(url, body) : isDecided ? text : undefined;
  } catch ({ message }) {
    if (!isDecided) return undefined; // Deno says where it does not parse
    throw new SyntaxError(message.replace(/^SyntaxError: /, "").replace("file:///stripTypeScriptTypes.ts", url));
  }
}

const isRequired = (context) => context.conditions?.includes("require") ?? false;
const own = (format, source) => ({ format, source, shortCircuit: true });
registerHooks({
  resolve(specifier, context, next) {
    if (specifier === "tool") return { url: isRequired(context) ? `${TOOL}.cjs` : TOOL, shortCircuit: true };
    const resolved = next(specifier, context);
    const { url } = resolved;
    if (isRequired(context) || !/^file:.*\.[cm]?[jt]s$/i.test(url) || url === TOOL) return resolved;
    const address = url + RENAMED;
    if (!modules.has(address)) modules.set(address, moduleOf(url));
    return modules.get(address) === undefined ? resolved : { url: address, format: "module", shortCircuit: true };
  },
  load(url, context, next) {
    if (url === `${TOOL}.cjs`) return own("commonjs", REQUIRED);
    if (modules.get(url) !== undefined) return own("module", modules.get(url));
    if (/^file:.*\.json$/i.test(url) && !context.importAttributes?.type) {
      const value = `JSON.parse(${stringify(Deno.readTextFileSync(new URL(url)).replace(/^\uFEFF/, ""))})`;
      return isRequired(context) ? own("commonjs", `module.exports=${value};`) : own("module", `export default ${value};`);
    }
    const text = isRequired(context) && /^file:.*\.js$/i.test(url) ? javascript(url) : undefined;
    return text !== undefined && compiled(url, text) ? own("commonjs", text) : next(url, context);
  },
});

// A module has the names of CommonJS, too: they are those of the file that asks.
function caller() {
  const frames = new Error().stack.split("\n").slice(3).join("\n");
  return /(file:\/\/.*?):\d+:\d+\)?$/m.exec(frames)?.[1].replace(RENAMED, "");
}
const GIVEN = { require: createRequire, __filename: fileURLToPath, __dirname: (url) => dirname(fileURLToPath(url)) };
for (const [name, give] of Object.entries(GIVEN)) {
  const get = () => {
    const url = caller();
    return url && give(url);
  };
  Object.defineProperty(globalThis, name, { get, configurable: true });
}
