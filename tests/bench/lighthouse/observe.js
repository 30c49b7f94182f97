// Lets Lighthouse drive a page load and reads our observer on that very load. One JSON object on standard output.
//
// node observe.js REQUEST, REQUEST being JSON: chromium, args, url, script, committed, question, limit_ms
import lighthouse from 'lighthouse';
import { TimingSummary } from 'lighthouse/core/computed/metrics/timing-summary.js';
import { NetworkRecords } from 'lighthouse/core/computed/network-records.js';
import { ProcessedTrace } from 'lighthouse/core/computed/processed-trace.js';
import puppeteer from 'puppeteer-core';

const asked = JSON.parse(process.argv[2]);
/**
 * Lighthouse's metrics as observed. A frame that moves to a new process has an empty document there first, whose events
 * come after navigation start; Lighthouse takes the first one for the page's, so they are left out of its trace.
 */
async function measured({ lhr, artifacts: { Trace, DevtoolsLog, GatherContext, URL, SourceMaps } }) {
  const context = () => ({ computedCache: new Map(), settings: lhr.configSettings });
  const [before] = lhr.audits.metrics.details?.items ?? [];
  if (!before?.timeToFirstByte) {
    return { theirs: null, words: lhr.runtimeError?.message ?? lhr.audits.metrics.errorMessage ?? 'no first byte' };
  }
  const { mainFrameInfo } = await ProcessedTrace.request(Trace, context());
  const firstByteTs = before.observedTimeOriginTs + before.timeToFirstByte * 1000;
  const empty = ({ name, ts, args }) =>
    /^(domContentLoaded|load)EventEnd$/.test(name) && args.frame === mainFrameInfo.frameId && ts < firstByteTs;
  const trace = { ...Trace, traceEvents: Trace.traceEvents.filter((event) => !empty(event)) };
  const input = { trace, devtoolsLog: DevtoolsLog, gatherContext: GatherContext, settings: lhr.configSettings, URL, SourceMaps, simulator: null };
  const { metrics } = await TimingSummary.request(input, context());
  return { theirs: metrics, words: null };
}

const browser = await puppeteer.launch({
  executablePath: asked.chromium,
  args: asked.args,
  ignoreDefaultArgs: true,
  pipe: true,
  defaultViewport: null,
});
try {
  const [page] = await browser.pages();
  await page.evaluateOnNewDocument(asked.script);
  const found = await lighthouse(
    asked.url,
    {
      onlyAudits: ['metrics'],
      throttlingMethod: 'provided',
      formFactor: 'desktop',
      screenEmulation: { disabled: true },
      emulatedUserAgent: false,
      disableStorageReset: true,
      disableFullPageScreenshot: true,
      skipAboutBlank: true,
      maxWaitForLoad: asked.limit_ms,
      logLevel: 'error',
    },
    undefined,
    page,
  );
  const { theirs, words } = await measured(found);
  const answer = await page.evaluate(`(${asked.question})()`);
  const committed = await page.evaluate(`(${asked.committed})()`);
  const records = await NetworkRecords.request(found.artifacts.DevtoolsLog, { computedCache: new Map() });
  const requests = records
    .filter((one) => one.finished && one.requestMethod === 'GET' && !one.failed && one.statusCode < 400)
    .map((one) => [one.networkRequestTime, one.networkEndTime])
    .map((ends) => ends.map((ms) => ms - (theirs?.observedTimeOriginTs ?? 0) / 1000));
  console.log(JSON.stringify({ theirs, answer, committed, requests, words }));
} finally {
  await browser.close();
}
