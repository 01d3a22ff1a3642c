// Starts the system's Chromium for a test; every script here prints one JSON line and exits.
const { chromium } = require('playwright-core');

exports.open = async () => {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  return browser;
};

exports.run = (work) => {
  const limit = setTimeout(() => { console.error('the browser took too long'); process.exit(3); }, 60000);
  work().then((answer) => {
    clearTimeout(limit);
    console.log(JSON.stringify(answer));
    process.exit(0);
  }, (error) => {
    console.error(String(error && error.stack || error));
    process.exit(1);
  });
};
