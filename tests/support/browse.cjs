// Opens a page from a file in Chromium at two widths and two colour schemes, and prints what an audit says of it.
// Arguments: the folder of the npm packages, the browser, the file; with a fourth, where to save a screenshot.
const [, , modules, executablePath, file, screenshot] = process.argv;
const puppeteer = require(`${modules}/puppeteer-core`);
const axe = require(`${modules}/axe-core`);

async function look(browser, width, scheme) {
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
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  const results = await page.evaluate(`${axe.source}; axe.run(document)`);
  const violations = results.violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes[0].html}`);
  if (screenshot && width > 1000 && scheme === "light") {
    await page.reload();
    await page.screenshot({ path: screenshot });
  }
  await page.close();
  return { width, scheme, ...heard, overflow: Math.max(overflow, 0), violations, checked: results.passes.length };
}

(async () => {
  const browser = await puppeteer.launch({ executablePath, args: ["--no-sandbox"] });
  const looks = [];
  for (const [width, scheme] of [[360, "light"], [1400, "light"], [1400, "dark"]]) {
    looks.push(await look(browser, width, scheme));
  }
  console.log(JSON.stringify(looks));
  await browser.close();
})();
