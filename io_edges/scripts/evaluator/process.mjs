// Node's `process`, whose `loadEnvFile` Deno would only allow to a script that may read every variable.

import { readFileSync } from "node:fs";
import process from "node:process";
import { parseEnv } from "node:util";

export * from "node:process";
export default process;

// Variables that are set already stay.
export function loadEnvFile(path = ".env") {
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, "utf8")))) process.env[name] ??= value;
}
process.loadEnvFile = loadEnvFile;
