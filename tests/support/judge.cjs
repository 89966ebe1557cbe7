// Compiles a JSON Schema as strictly as SchemaStore does, and prints which texts it refuses.
// Argument: the folder of the npm packages. Standard input: {schema, texts}. What is not strict ends it with an error.
const [, , modules] = process.argv;
const { default: Ajv } = require(`${modules}/ajv`);
const { schema, texts } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

const ajv = new Ajv({ strict: true, strictTypes: true, strictTuple: true, strictRequired: true, allErrors: true });
new Ajv().compile(schema); // as it is by default
const valid = ajv.compile(schema);
console.log(JSON.stringify(texts.filter((text) => !valid(JSON.parse(text)))));
