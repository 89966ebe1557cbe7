// Looks at scripts with TypeScript's own parser. Argument: the folder of the npm packages. Standard input:
// [{name, text, places: [[offset, data]]}], offsets in UTF-16. Prints for each how many mistakes of syntax it has, the
// JSON of what it exports if that is a literal, and the places at which no such literal begins.
const [, , modules] = process.argv;
const ts = require(`${modules}/typescript`);
const NOTHING = Symbol("computed");
const AROUND = new Set(["ParenthesizedExpression", "AsExpression", "SatisfiesExpression", "NonNullExpression"]);
const kind = (node) => ts.SyntaxKind[node.kind];

function valueOf(node, names = {}) {
  if (AROUND.has(kind(node))) return valueOf(node.expression, names);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isPrefixUnaryExpression(node)) {
    const number = valueOf(node.operand);
    const sign = { [ts.SyntaxKind.MinusToken]: -1, [ts.SyntaxKind.PlusToken]: 1 }[node.operator];
    return sign && typeof number === "number" ? sign * number : NOTHING;
  }
  if (kind(node) in { TrueKeyword: 1, FalseKeyword: 1, NullKeyword: 1 }) return JSON.parse(node.getText());
  if (ts.isIdentifier(node)) return node.text in names ? names[node.text] : NOTHING;
  if (ts.isCallExpression(node) && node.arguments.length === 1) return valueOf(node.arguments[0], names);
  if (ts.isArrayLiteralExpression(node)) return all(node.elements.map((item) => [0, valueOf(item, names)]), (each) => each.map(([, item]) => item));
  if (!ts.isObjectLiteralExpression(node)) return NOTHING;
  const members = node.properties.map((member) => [member.name?.text, valueOf(member.initializer ?? member.name ?? member, names)]);
  return all(members, Object.fromEntries);
}
const all = (pairs, make) => (pairs.some((pair) => pair.includes(NOTHING)) ? NOTHING : make(pairs));

function exported(file) {
  const names = {};
  let value = NOTHING;
  for (const statement of file.statements) {
    for (const { name, initializer } of statement.declarationList?.declarations ?? []) {
      if (initializer) names[name.text] = valueOf(initializer, names);
    }
    const { expression } = statement;
    if (ts.isExportAssignment(statement)) value = valueOf(expression, names);
    else if (ts.isExportDeclaration(statement)) value = valueOf(statement.exportClause?.elements?.[0]?.propertyName ?? statement, names);
    else if (expression && ts.isBinaryExpression(expression)) value = valueOf(expression.right, names);
  }
  return value === NOTHING ? null : JSON.stringify(value);
}

function isThere(node, data) {
  if (ts.isArrayLiteralExpression(node)) return Array.isArray(data);
  if (!ts.isObjectLiteralExpression(node)) return [data, NOTHING].includes(valueOf(node));
  const id = node.properties.findLast((member) => member.name?.text === "id")?.initializer;
  return typeof data === "object" && !Array.isArray(data) && (!id || !("id" in data) || [data.id, NOTHING].includes(valueOf(id)));
}

function look({ name, text, places }) {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found = new Set();
  (function visit(node) {
    const start = node.getStart(file);
    places.forEach(([at, data], index) => at === start && isThere(node, data) && found.add(index));
    node.getChildren(file).forEach(visit);
  })(file);
  const [mistakes, value] = [file.parseDiagnostics.length, file.parseDiagnostics.length ? null : exported(file)];
  return { mistakes, value, wrong: places.filter((_, index) => !found.has(index)) };
}

console.log(JSON.stringify(JSON.parse(require("node:fs").readFileSync(0, "utf8")).map(look)));
