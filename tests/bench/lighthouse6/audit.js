// Lets Lighthouse 6.0.0 load a page in Chromium, and audits what it gathered. One JSON object on standard output.
//
// node audit.js REQUEST, REQUEST being JSON: chromium, args, port, url, folder, form, throttling (none or devtools)
'use strict';
const { spawn } = require('child_process');
const fs = require('fs');
const http = require('http');
const path = require('path');
const lighthouse = require('lighthouse');
const { desktopDense4G, mobileSlow4G } = require('lighthouse/lighthouse-core/config/constants.js').throttling;

const asked = JSON.parse(process.argv[2]);
const THROTTLING = { mobile: mobileSlow4G, desktop: desktopDense4G };
// our key, and the audit whose numericValue is the same
const AUDITS = {
  fcp: 'first-contentful-paint', si: 'speed-index', lcp: 'largest-contentful-paint', tti: 'interactive',
  tbt: 'total-blocking-time', cls_sum: 'cumulative-layout-shift',
};
const START_MS = 20000;

const flags = (throttlingMethod, more) => ({
  port: asked.port, logLevel: 'error', onlyCategories: ['performance'], emulatedFormFactor: asked.form,
  throttling: THROTTLING[asked.form], throttlingMethod, ...more,
});

function listening() {
  return new Promise((done) => {
    const request = http.get({ host: '127.0.0.1', port: asked.port, path: '/json/version' }, (answer) => {
      answer.resume();
      done(true);
    });
    request.on('error', () => done(false));
  });
}

async function started() {
  const browser = spawn(asked.chromium, asked.args, { stdio: 'ignore' });
  for (const end = Date.now() + START_MS; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
    if (await listening()) return browser;
  }
  browser.kill('SIGKILL');
  throw new Error(`Chromium did not listen on port ${asked.port}`);
}

/** A copy of what was gathered, as if it had been gathered for another method, and with h3 named h2 where asked. */
function copied(name, method, relabelled) {
  const to = path.join(asked.folder, name);
  fs.cpSync(path.join(asked.folder, 'gathered'), to, { recursive: true });
  const file = path.join(to, 'artifacts.json');
  const artifacts = JSON.parse(fs.readFileSync(file, 'utf8'));
  artifacts.settings.throttlingMethod = method;
  fs.writeFileSync(file, JSON.stringify(artifacts));
  const log = path.join(to, 'defaultPass.devtoolslog.json');
  const messages = JSON.parse(fs.readFileSync(log, 'utf8'));
  const protocols = {};
  for (const { method: event, params } of messages) {
    if (event !== 'Network.responseReceived' || !params.response.url.startsWith('http')) continue;
    if (relabelled && /^h3/.test(params.response.protocol)) params.response.protocol = 'h2';
    protocols[params.response.protocol] = (protocols[params.response.protocol] || 0) + 1;
  }
  fs.writeFileSync(log, JSON.stringify(messages));
  return { to, protocols };
}

async function audited(name, method, relabelled) {
  const { to, protocols } = copied(name, method, relabelled);
  const { lhr } = await lighthouse(asked.url, flags(method, { auditMode: to }));
  const metrics = {};
  const errors = [];
  for (const [key, audit] of Object.entries(AUDITS)) {
    const { numericValue, errorMessage } = lhr.audits[audit];
    metrics[key] = numericValue === undefined ? null : numericValue;
    if (errorMessage) errors.push(`${audit}: ${errorMessage}`);
  }
  return { metrics, score: lhr.categories.performance.score, protocols, errors, version: lhr.lighthouseVersion };
}

async function main() {
  const browser = await started();
  const method = asked.throttling === 'devtools' ? 'devtools' : 'provided';
  try {
    await lighthouse(asked.url, flags(method, { gatherMode: path.join(asked.folder, 'gathered') }));
  } finally {
    browser.kill('SIGKILL');
  }
  const found = {};
  if (method === 'devtools') {
    found.devtools = await audited('devtools', 'devtools', false);
  } else {
    found.observed = await audited('observed', 'provided', false);
    found.simulated = await audited('simulated', 'simulate', false);
    found.relabelled = await audited('relabelled', 'simulate', true);
  }
  console.log(JSON.stringify(found));
}

main().then(() => process.exit(0), (error) => {
  console.error(error.stack || String(error));
  process.exit(1);
});
