// What files are, by their contents: CommonJS or a module, in JavaScript; and where links lead.

import { stripTypeScriptTypes } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { compileFunction } from "node:vm";

// In the place of `node:fs`, which takes as long to load as Deno takes to start.
const { readTextFileSync, realPathSync } = Deno;
export const PROJECT = `${pathToFileURL(Deno.cwd())}/`;
const NAMES = ["exports", "require", "module", "__filename", "__dirname"];
const MAP = "//# sourceMappingURL=data:application/json;base64,";
export const files = new Map(); // what is known of each file, by its address
export const outside = new Map(); // where links out of the project lead, by their addresses

export const pathOf = (url) => fileURLToPath(url.replace(/[?#].*/s, ""));
export const isTyped = (url) => /\.[cm]?ts$/i.test(url);
export const isInstalled = (url) => url.includes("/node_modules/");
export const escaped = (name) => name.replace(/\W/g, "\\$&");
export const mapped = (code, map) => (map ? `${code}${MAP}${btoa(JSON.stringify(map))}` : code);
export const unloaded = (message) => Object.assign(new Error(message), { code: "MODULE_NOT_FOUND" });

export function textOf(url) {
  try {
    return readTextFileSync(pathOf(url)).replace(/^\uFEFF/, "");
  } catch (error) {
    throw error.code === "EACCES" ? unloaded(`Permission denied: ${url}`) : error;
  }
}

// Plain JavaScript, in the same lines or with a map of them. Throws of what does not parse.
function javascript(url, text) {
  if (!isTyped(url)) return { code: text };
  try {
    return { code: common(stripTypeScriptTypes(text)) };
  } catch {
    const [code, map] = stripTypeScriptTypes(text, { mode: "transform", sourceMap: true }).split(MAP); // enums, namespaces
    return { code: common(code), map: { ...JSON.parse(atob(map)), sources: [url] } };
  }
}

// What TypeScript alone has of CommonJS, in JavaScript and in as many characters.
const common = (code) =>
  code
    .replace(/((?:^|[;}])\s*)import(?=\s+[\w$]+\s*=\s*require\s*\()/gm, "$1const ")
    .replace(/((?:^|[;}]|\*\/)\s*)export\s?=(?![=>])/m, "$1export_=");

export function compiled(code, options) {
  try {
    return compileFunction(code, NAMES, options);
  } catch {
    return undefined;
  }
}

// A file by its contents: its text and code, and whether that is CommonJS or does not parse. Throws if it cannot be read.
export function contents(url) {
  if (!files.has(url)) {
    const text = textOf(url);
    try {
      const { code, map } = javascript(url, text);
      files.set(url, { text, code, map, isCommon: compiled(code) !== undefined });
    } catch ({ message }) {
      files.set(url, { text, message }); // Deno says where
    }
  }
  return files.get(url);
}

const LIST = /((?:^|[;}])\s*(?:import|export)\s*\{)([^{}]*)(\}(?:\s*from\s*["'](\.[^"']*)["'])?)/gm;
const COMMENT = /\/\/.*|\/\*[^]*?\*\//g;

// The code of a module, without types that it exports again by name, in as many characters: Deno takes them for values.
export function withoutTypes(url, code) {
  const from = new Map();
  for (const [, , names, , specifier] of code.matchAll(LIST)) {
    if (specifier) for (const name of names.matchAll(/[\w$]+/g)) from.set(name[0], specifier);
  }
  const isType = (name) => from.has(name) && isTypeAlone(name, from.get(name), url);
  return code.replace(LIST, (all, head, names, tail) => {
    const value = (name) => (isType(/[\w$]*/.exec(name.replace(COMMENT, "").trim())[0]) ? "" : name);
    return head + names.replace(/[^,]+,?/g, (name) => value(name) || name.replace(/[^\n]/g, " ")) + tail;
  });
}

// Whether a name stands for a type alone in the file that it is imported from, or in one that this exports again.
function isTypeAlone(name, specifier, importer, steps = 8) {
  const url = followed(nearest(specifier, importer));
  const text = isTyped(url) && steps ? textOf(url) : "";
  const declares = (words) => new RegExp(`^\\s*(?:export\\s+)?(?:declare\\s+)?(?:${words})\\s+${escaped(name)}(?![\\w$])`, "m").test(text);
  if (new RegExp(`\\bas\\s+${escaped(name)}(?![\\w$])`).test(text)) return false;
  if (declares("const|let|var|(?:async\\s+)?function\\*?|(?:abstract\\s+)?class|(?:const\\s+)?enum|namespace")) return false;
  const others = [...text.matchAll(/^\s*export\s*(?:\*|\{([^{}]*)\})\s*from\s*["'](\.[^"']*)["']/gm)];
  const isAgain = ([, names, other]) => (names ?? name).includes(name) && isTypeAlone(name, other, url, steps - 1);
  return declares("type|interface") || others.some(isAgain);
}

// The file that a relative specifier stands for in TypeScript, with or without its suffix; as it is, if there is none.
export function nearest(specifier, parent) {
  const { href } = new URL(specifier, parent);
  const forms = [href, href.replace(/js$/, "ts"), `${href}.ts`, `${href}/index.ts`, `${href}.js`, `${href}/index.js`];
  return forms.find((form) => {
    try {
      return Deno.statSync(new URL(form)).isFile;
    } catch {
      return false;
    }
  }) ?? href;
}

// The address of the file that a link leads to. What a link out of the project leads to is read as the link.
export function followed(url) {
  const [address, query = ""] = url.split(/(?=[?#])(.*)/s);
  try {
    const { href } = pathToFileURL(realPathSync(pathOf(address)));
    if (href === pathToFileURL(pathOf(address)).href) return url;
    if (href.startsWith(PROJECT)) return href + query;
    outside.set(url, href);
  } catch {
    // Deno says what is missing, and who imports it
  }
  return url;
}

// The `package.json` of the package that a specifier names, as far as the project has it.
export function manifestOf(specifier, from) {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0];
  for (let folder = new URL(".", from); folder.href.startsWith(PROJECT); folder = new URL("..", folder)) {
    const { href } = new URL(`node_modules/${name}/package.json`, folder);
    if (readable(href)) return href;
  }
}

// The text of a file; empty if it cannot be read.
export function readable(url) {
  try {
    return files.get(url)?.text ?? textOf(url);
  } catch {
    return ""; // a module that is no file
  }
}

// What the package of a file says that its files are.
export function packageType(url) {
  for (let folder = new URL(".", url); folder.href.startsWith(PROJECT); folder = new URL("..", folder)) {
    try {
      return JSON.parse(textOf(new URL("package.json", folder).href)).type;
    } catch {
      // none, or one that is broken
    }
  }
}

// Whether a file of a package is CommonJS, though the package says module.
export function isMisnamed(url) {
  if (!/\.js$/i.test(url) || packageType(url) !== "module") return false;
  const text = textOf(url);
  return /\bexports\b/.test(text) && !/(?:^|[;}])\s*(?:import|export)\b/m.test(text);
}
