// hostile_page.js <login link> <base url>: logs in, then lets another origin do what a page can:
// post the form, fetch the queue, frame it. Everything must fail.
const { open, run } = require('./browser');
const http = require('http');

run(async () => {
  const [link, base] = process.argv.slice(2);
  const browser = await open();
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.waitForSelector('nav.queue li a');
  const ref = (await page.getAttribute('nav.queue li a', 'href')).split('/').pop();
  const server = http.createServer((request, answer) => {
    answer.setHeader('content-type', 'text/html');
    answer.setHeader('referrer-policy', 'no-referrer');
    answer.end(`<form id="f" method="post" action="${base}/decide">
      <input name="ref" value="${ref}"><input name="decision" value="grant"></form>
      <iframe src="${base}/"></iframe>`);
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  const evil = await context.newPage();
  await evil.goto(`http://127.0.0.1:${server.address().port}/`);
  const fetched = await evil.evaluate((url) => fetch(url, { credentials: 'include' })
    .then((answer) => answer.text(), () => 'refused'), `${base}/`);
  const framed = evil.frames().length > 1 ? await evil.frames()[1].content() : '';
  await Promise.all([evil.waitForNavigation(), evil.evaluate(() => document.getElementById('f').submit())]);
  const posted = await evil.textContent('body');
  server.close();
  await browser.close();
  return { fetched, framed: framed.includes('nav class="queue"'), posted };
});
