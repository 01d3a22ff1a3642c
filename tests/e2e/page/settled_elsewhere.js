// settled_elsewhere.js <login link>: opens the one request and waits until the page itself says that
// somebody else answered. Prints "ready" first, once it is open.
const { open, run } = require('./browser');

run(async () => {
  const browser = await open();
  const page = await browser.newPage();
  await page.goto(process.argv[2]);
  await page.waitForSelector('nav.queue li a');
  await page.click('nav.queue li a');
  await page.waitForSelector('button.approve');
  console.log('ready');
  await page.waitForSelector('.settled', { timeout: 20000 });
  const settled = await page.textContent('.settled');
  const buttons = await page.$$('button');
  await browser.close();
  return { settled, buttons: buttons.length };
});
