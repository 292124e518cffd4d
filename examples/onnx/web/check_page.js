// Uses the page as a visitor does, in headless Chromium.
//
//   node web/check_page.js FOLDER NODE_MODULES CHROMIUM [SCREENSHOT.png]
//
// Ends with 77 where a module or the browser is missing.
'use strict';
const fs = require('fs');
const path = require('path');
const { serve } = require('./serve.js');

const [folder, modules, browserPath, screenshot] = process.argv.slice(2);
let chromium;
try {
  ({ chromium } = require(path.resolve(modules, 'playwright-core')));
  fs.accessSync(path.join(modules, 'onnxruntime-web', 'dist'));
  fs.accessSync(browserPath);
} catch (error) {
  console.log('SKIPPED: onnx_page: Chromium, playwright-core or ' +
    'onnxruntime-web is not installed');
  process.exit(77);
}

function expect(condition, what) {
  if (!condition) throw new Error(what);
  console.log(`ok: ${what}`);
}

async function result(page) {
  await page.waitForFunction(() => document.body.dataset.result);
  const text = await page.evaluate(() => {
    const value = document.body.dataset.result;
    delete document.body.dataset.result;
    return value;
  });
  return JSON.parse(text);
}

// Moves the mouse along points of the 320 x 320 pad.
async function draw(page, strokes) {
  const box = await page.locator('#pad').boundingBox();
  for (const stroke of strokes) {
    await page.mouse.move(box.x + stroke[0][0], box.y + stroke[0][1]);
    await page.mouse.down();
    for (const [x, y] of stroke)
      await page.mouse.move(box.x + x, box.y + y, { steps: 8 });
    await page.mouse.up();
  }
}

// Draws, and waits for the answer to the last stroke.
async function drawing(page, strokes) {
  await draw(page, strokes.slice(0, -1));
  if (strokes.length > 1) await result(page);
  await draw(page, strokes.slice(-1));
  return result(page);
}

async function check(page, address, digits) {
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  await page.goto(address);
  await page.waitForFunction(() => document.body.dataset.ready, null,
    { timeout: 60000 });

  await page.click('#sample');
  const sample = await result(page);
  const worst = Math.max(...sample.mean.map((p, c) =>
    Math.abs(p - digits.probabilities[c])));
  expect(worst < 1e-4, `a test picture gets the library's probabilities ` +
    `(difference ${worst.toExponential(1)})`);

  await page.click('#clear');
  expect(await page.locator('.class.best').count() === 0,
    'Clear removes the answer');

  const seven = await drawing(page,
    [[[80, 50], [230, 50], [130, 280]], [[110, 165], [220, 165]]]);
  expect(Math.abs(seven.mean.reduce((a, b) => a + b) - 1) < 1e-5,
    'probabilities of a drawing add up to one');
  expect(seven.best === 7, `a drawn seven is a ${seven.best}`);

  // Two upright bars are no digit.
  await page.click('#clear');
  const bars = await drawing(page,
    [[[80, 40], [80, 280]], [[240, 40], [240, 280]]]);
  expect(bars.epistemic > 2 * seven.epistemic,
    `two bars have more epistemic uncertainty ` +
    `(${bars.epistemic.toFixed(2)}) than a seven ` +
    `(${seven.epistemic.toFixed(2)})`);
  expect(await page.locator('.class').count() === 10, 'there are ten bars');
  expect((await page.textContent('#answer')).includes('90 % of the draws'),
    'the answer names an interval');
  expect(errors.length === 0, `no errors in the page ${errors.join('; ')}`);
}

(async () => {
  const digits = JSON.parse(fs.readFileSync(path.join(folder, 'digits.json')));
  const port = await new Promise((resolve) => {
    serve(folder, modules, 0, resolve);
  });
  const browser = await chromium.launch({ executablePath: browserPath,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
      '--no-first-run', '--disable-background-networking',
      '--disable-component-update', '--disable-sync'] });
  let failed = false;
  const page = await browser.newPage({ viewport: { width: 900, height: 720 } });
  try {
    await check(page, `http://127.0.0.1:${port}/`, digits);
  } catch (error) {
    console.log(`FAILED: ${error.message}`);
    failed = true;
  }
  if (screenshot) await page.screenshot({ path: screenshot, fullPage: true });
  await browser.close();
  process.exit(failed ? 1 : 0);
})();
