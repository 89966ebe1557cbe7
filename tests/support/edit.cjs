// Plays an editor: asks the language server of VS Code about JSON files, and prints its answers.
// Argument: the folder of the npm packages. Standard input: {schemas: [{uri, fileMatch, schema}], cases: [{uri, text,
// cursor}]}. An answer has what is complained of, what is offered at the cursor, and what hovering there shows (a cursor
// below 0: nothing is asked there); each with its range, "line:column-line:column", counted from 1.
const [, , modules] = process.argv;
const { getLanguageService, TextDocument } = require(`${modules}/vscode-json-languageservice`);
const { schemas, cases } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));

const service = getLanguageService({
  clientCapabilities: { textDocument: { completion: { completionItem: { documentationFormat: ["plaintext"] } } } },
  schemaRequestService: (uri) => Promise.reject(new Error(`nothing may be fetched: ${uri}`)),
  workspaceContext: { resolveRelativePath: (path, base) => new URL(path, base).href },
});
service.configure({ validate: true, schemas });

const place = ({ start, end }) => `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`;
const unescaped = (text) => text.replace(/\\([\\`*_{}[\]()#+\-.!~<>|&])/g, "$1"); // hovering is in Markdown
const plain = (text) => unescaped((text?.value ?? text ?? "").replaceAll("&nbsp;", " "));

async function answer({ uri, text, cursor }) {
  const document = TextDocument.create(uri, "json", 1, text);
  const json = service.parseJSONDocument(document);
  const diagnostics = (await service.doValidation(document, json)).map(({ range, message }) => [place(range), message]);
  if (cursor < 0) return { diagnostics };
  const position = document.positionAt(cursor);
  const { items } = await service.doComplete(document, position, json);
  const hover = await service.doHover(document, position, json);
  return {
    diagnostics,
    completion: items.map(({ textEdit, documentation }) => [place(textEdit.range), textEdit.newText, plain(documentation)]),
    hover: hover && [place(hover.range), ...hover.contents.map(plain)],
  };
}

(async () => {
  const answers = [];
  for (const each of cases) answers.push(await answer(each));
  console.log(JSON.stringify(answers));
})();
