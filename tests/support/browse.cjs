// Opens pages from files in Chromium at two widths and in two colour schemes, and prints what an audit says of each.
// Arguments: the folder of the npm packages, the browser, the pages (paths, which may have a query); before the pages,
// `--screenshots=FOLDER` saves a picture of each look.
const [, , modules, executablePath, ...rest] = process.argv;
const puppeteer = require(`${modules}/puppeteer-core`);
const axe = require(`${modules}/axe-core`);
const pictures = rest[0].startsWith("--screenshots=") ? rest.shift().slice("--screenshots=".length) : "";

// The words of headings, of the page and of columns, that go on in another line.
function brokenWords() {
  const broken = [];
  const headings = document.querySelectorAll("h1, h2, h3, h4, th");
  for (const heading of headings) {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[A-Za-z0-9]+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (lines.size > 1) broken.push(word[0]);
      }
    }
  }
  return broken;
}

async function look(browser, file, width, scheme) {
  const page = await browser.newPage();
  const requests = [];
  const messages = [];
  page.on("request", (request) => requests.push(request.url()));
  page.on("console", (message) => messages.push(message.text()));
  page.on("pageerror", (error) => messages.push(String(error)));
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`file://${file}`);
  const heard = { requests: [...requests], messages: [...messages] };
  if (pictures) {
    await page.screenshot({ path: `${pictures}/${file.split("/").slice(-2).join("-")}-${width}-${scheme}.png` });
  }
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const broken = await page.evaluate(brokenWords);
  const results = await page.evaluate(`${axe.source}; axe.run(document, { preload: false })`);
  const violations = results.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`);
  const links = await page.evaluate(() => [...document.links].map((each) => each.href));
  await page.close();
  const passed = results.passes.length;
  return { file, width, scheme, ...heard, overflow: Math.max(overflow, 0), broken, violations, checked: passed, links };
}

(async () => {
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
  const looks = [];
  for (const file of rest) {
    for (const [width, scheme] of [[360, "light"], [1400, "light"], [1400, "dark"]]) {
      looks.push(await look(browser, file, width, scheme));
    }
  }
  console.log(JSON.stringify(looks));
  await browser.close();
})();
