// decide.js <login link> <approve|reject:reason> [noscript]: opens the queue, waits for a request to
// appear, reads it and presses the button.
const { open, run } = require('./browser');

run(async () => {
  const [link, press, mode] = process.argv.slice(2);
  const browser = await open();
  const context = await browser.newContext({ javaScriptEnabled: mode !== 'noscript' });
  const page = await context.newPage();
  const problems = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  await page.goto(link);
  // Without script the list reloads itself by <meta>, with script by server-sent events.
  await page.waitForSelector('nav.queue li a', { timeout: 30000 });
  await page.click('nav.queue li a');
  await page.waitForSelector('article');
  const shown = {
    headline: await page.textContent('article h2'),
    facts: await page.$$eval('article > form > dl dd', (list) => list.map((e) => e.textContent)),
    body: await page.$$eval('article > form > .bytes > span', (l) => l.map((e) => e.textContent)),
    warnings: await page.$$eval('.warnings li', (list) => list.map((e) => e.textContent)),
    claimed: await page.$$eval('.claimed p', (list) => list.map((e) => e.textContent)),
  };
  if (press === 'approve') {
    shown.button = await page.textContent('button.approve');
    await page.click('button.approve');
  } else {
    await page.click(`button[name=reason][value="${press.split(':')[1]}"]`);
  }
  await page.waitForSelector('.settled');
  const settled = await page.textContent('.settled');
  // A reload shows the outcome again and records nothing.
  await page.reload();
  const reloaded = await page.textContent('.settled');
  await browser.close();
  return { shown, settled, reloaded, problems };
});
