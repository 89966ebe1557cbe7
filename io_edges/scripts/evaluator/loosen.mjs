// What Deno alone does not load, and people write: a file whose contents are CommonJS where its suffix or the
// nearest package.json says module, the reverse, JSON that is imported without an attribute, `require("tool")`, and
// below `node_modules` also `import "tool"` and modules in TypeScript.
// Loaded only after a first attempt has failed in one of these ways.

import { registerHooks, stripTypeScriptTypes } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as shipped from "tool";

const SHIPPED = new URL("../npm/index.cjs", import.meta.url).href; // no file: only an address
const MODULE = import.meta.resolve("tool");
const INSTALLED = /\/node_modules\/.*\.[cm]?ts$/i;
const COMMON_JS = /\.cts$/i;

function text(url) {
  return Deno.readTextFileSync(fileURLToPath(url));
}

// Plain JavaScript, and the number of lines that stand before it; "x" where lines are not what they were.
function stripped(url) {
  const source = text(url);
  if (!/\.[mc]?ts$/i.test(fileURLToPath(url))) return { source, before: "0" };
  try {
    return { source: stripTypeScriptTypes(source), before: "0" };
  } catch {
    try {
      return { source: stripTypeScriptTypes(source, { mode: "transform" }), before: "x" }; // enums, namespaces
    } catch ({ message }) {
      // The parser is told no address, and makes one up.
      const said = message.replace(/^SyntaxError: /, "").replace("file:///stripTypeScriptTypes.ts", url);
      throw new SyntaxError(said);
    }
  }
}

// CommonJS as a module; a module that only uses some of its names, as people do, is given them.
function wrapped(url) {
  const { source, before } = stripped(url);
  const file = fileURLToPath(url);
  const [address, name, folder] = [url, file, dirname(file)].map((each) => JSON.stringify(each));
  const names = `import{createRequire as $require}from"node:module";` +
    `const require=$require(${address}),__filename=${name},__dirname=${folder};`;
  const isModule = /^[ \t]*(?:import|export)\b/m.test(source);
  const head = isModule ? names : `${names}const module={exports:{}},exports=module.exports;`;
  const tail = isModule ? "" : '\n;const $exports=module.exports;export{$exports as default,$exports as "module.exports"};';
  return { source: `${head}\n${source}${tail}`, before: before === "0" ? "1" : before };
}

// Hooks into loading, and gives the address under which the script is then to be imported. The tool knows that
// form of address, and shows the script's own (`io_edges/scripts/report.py`).
export function loosen(url, ways) {
  const areTyped = ways.includes("installed");
  const isInstalled = areTyped && INSTALLED.test(url);
  const isCommonJs = ways.includes("commonjs") || (isInstalled && COMMON_JS.test(url));
  const isModule = ways.includes("module") || isInstalled;
  const made = isCommonJs ? wrapped(url) : isModule ? stripped(url) : undefined;
  const address = made ? `${url}.loosened-${made.before}.mjs` : url;
  const plain = new Map(); // the source of each module below `node_modules` by the address that it got
  registerHooks({
    resolve(specifier, context, next) {
      if (made && specifier === address) return { url: address, format: "module", shortCircuit: true };
      if (specifier === "tool" && isRequired(context)) return { url: SHIPPED, format: "commonjs", shortCircuit: true };
      if (specifier === "tool") return { url: MODULE, shortCircuit: true };
      const resolved = next(specifier, context);
      if (!areTyped || !INSTALLED.test(resolved.url)) return resolved;
      const { source, before } = COMMON_JS.test(resolved.url) ? wrapped(resolved.url) : stripped(resolved.url);
      const loosened = `${resolved.url}.loosened-${before}.mjs`;
      plain.set(loosened, source);
      return { url: loosened, format: "module", shortCircuit: true };
    },
    load(loaded, context, next) {
      if (made && loaded === address) return { source: made.source, format: "module", shortCircuit: true };
      if (plain.has(loaded)) return { source: plain.get(loaded), format: "module", shortCircuit: true };
      if (loaded === SHIPPED) return { source: asCommonJs(shipped), format: "commonjs", shortCircuit: true };
      if (new URL(loaded).pathname.endsWith(".json") && !context.importAttributes?.type) {
        const value = `JSON.parse(${JSON.stringify(text(loaded).replace(/^\uFEFF/, ""))})`;
        return isRequired(context)
          ? { source: `module.exports=${value};`, format: "commonjs", shortCircuit: true }
          : { source: `export default ${value};`, format: "module", shortCircuit: true };
      }
      return next(loaded, context);
    },
  });
  return address;
}

function isRequired(context) {
  return context.conditions?.includes("require") ?? false;
}

function asCommonJs(namespace) {
  return Object.entries(namespace).map(([name, value]) => `exports.${name}=${value};`).join("\n");
}
