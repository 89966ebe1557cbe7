// Node's `process`, whose `loadEnvFile` Deno would only allow to a script that may read every variable.

import process from "node:process";

export * from "node:process";
export default process;

// Variables that are set already stay.
export function loadEnvFile(path = ".env") {
  const { readFileSync } = process.getBuiltinModule("node:fs"); // takes as long to load as Deno takes to start
  const { parseEnv } = process.getBuiltinModule("node:util");
  for (const [name, value] of Object.entries(parseEnv(readFileSync(path, "utf8")))) process.env[name] ??= value;
}
process.loadEnvFile = loadEnvFile;
