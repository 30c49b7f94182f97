// The staff's side of the mock: anyone may log in ("admin" as admin, "guest" as guest); one study with made-up results; batches in memory.
import { createHash } from 'node:crypto';

import { manage } from './mock-manage.mjs';

/** @typedef {import('./mock-participant.mjs').Answer} Answer */
/** @typedef {import('./mock-participant.mjs').Call} Call */
/** @typedef {import('./mock-participant.mjs').Film} Film */

const study = createHash('sha256').update('study').digest('hex');
const sites = ['wikipedia', 'reddit', 'facebook', '360'];
const networks = { DSL: 900, LTE: 1400, MSS: 9000 };
const stacks = { 'TCP+': 1.15, QUIC: 1 };
const fielding = { slug: 'demo', group: 'volunteer', state: 'open', quota: 40, sessions_started: 17, sessions_completed: 12, participant_url: '/s/demo' };
const summary = {
  sha256: study,
  name: 'demo-2026',
  title: { en: 'How fast do websites feel?', de: 'Wie schnell fühlen sich Websites an?' },
  published_at: '2026-11-20T09:12:00Z',
  owner: 'researcher',
  rights: ['edit', 'export', 'read', 'share'],
  trial_count: 14,
  votes: 168,
  sessions: { started: 17, completed: 12 },
  groups: [{ key: 'volunteer', label: {} }],
  fieldings: [fielding],
};
const plan = {
  hypotheses: [{ key: 'H1', says: 'In the rating, the MOS of TCP+ and QUIC differ by less than the margin.', margin: 0.5 }],
  model: 'MOS per site, network and stack with 95 % intervals of Student’s t over participants.',
  exclusions: 'Whoever breaks one of R1 to R7 is left out with all votes.',
  stopping: 'When the quota is complete.',
};

function rated() {
  return Object.entries(networks).flatMap(([network, base], n) =>
    sites.flatMap((site, s) =>
      Object.entries(stacks).map(([stack, factor]) => {
        const si = base * factor * (0.7 + 0.35 * s);
        const mos = Math.max(1.3, Math.min(6.6, 6.4 - Math.log2(si / 500) * 0.95 + 0.2 * Math.sin(7 * n + 3 * s)));
        return { site, network, stack, si, mos };
      }),
    ),
  );
}

let blinded = true;

function results() {
  const rows = blinded ? [] : rated();
  return {
    blinded,
    status: 'stale',
    snapshot: { sha256: createHash('sha256').update('snapshot').digest('hex'), created_at: '2026-11-21T09:58:03Z', votes: 160, sessions: 12 },
    mos: rows.map(({ site, network, stack, mos }, i) => {
      const n = i === 3 ? 1 : 9 + (i % 5);
      return { site, network, stack, context: network === 'MSS' ? 'plane' : 'work', n, mos, ci_low: n < 2 ? null : mos - 0.55, ci_high: n < 2 ? null : mos + 0.55, sd: n < 2 ? null : 0.9 };
    }),
    comparisons: (blinded ? [] : ['DSL', 'MSS']).flatMap((network) =>
      sites.map((site, i) => ({ site, network, stack_a: 'TCP+', stack_b: 'QUIC', context: 'work', n: 12, prefer_a: 2 + (i % 2), prefer_b: 7 - i, no_difference: 3 - (i % 2) + i, share_a: (2 + (i % 2)) / 12, ci_low: 0.05 + 0.03 * i, ci_high: 0.42 + 0.04 * i })),
    ),
    correlations: (blinded ? [] : Object.keys(networks)).flatMap((network) =>
      ['fvc', 'si', 'vc85', 'lvc', 'plt'].map((metric, i) => ({ network, metric, clips: 8, votes: 84, pearson: -0.93 + 0.09 * i, spearman: -0.9 + 0.08 * i, pearson_ci_low: -0.98, pearson_ci_high: -0.6 + 0.1 * i, p_value: i === 4 ? null : 0.001 * (i + 1) })),
    ),
    points: rows.map(({ site, network, stack, si, mos }) => ({ clip_sha256: createHash('sha256').update(site + network + stack).digest('hex'), site, network, stack, n: 10, mos, fvc_ms: si * 0.6, si_ms: si, vc85_ms: si * 1.2, lvc_ms: si * 1.9, plt_ms: network === 'LTE' && site === '360' ? null : si * 1.6 })),
    values: rows.slice(0, 4).map(({ site, network, stack, mos }) => ({ kind: 'slider', site, network, stack, context: 'work', n: 9, mean: (mos - 1) / 0.06, ci_low: (mos - 1.5) / 0.06, ci_high: (mos - 0.5) / 0.06, sd: 12.5 })),
    identical: [{ network: 'DSL', stack: 'QUIC', n: 12, participants: 9, chose_left: 2, chose_right: 1, no_difference: 9, share_different: 0.25, ci_low: 0.08, ci_high: 0.54 }],
    identical_all: { n: 12, participants: 9, chose_left: 2, chose_right: 1, no_difference: 9, share_different: 0.25, ci_low: 0.08, ci_high: 0.54 },
    repeats: [{ kind: 'rate', n: 12, participants: 12, equal: 8, share_equal: 0.67, ci_low: 0.39, ci_high: 0.86, mean_difference: 0.42 }],
    simulated_sessions: 3,
  };
}

const ruleNames = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7'];
/** @param {string} group @param {number} started */
const funnelOf = (group, started) => ({ group, started, completed: started - 5, waiting: 0, steps: ruleNames.map((rule, i) => ({ rule, broken: i % 3, unknown: i % 2, left: started - 6 - Math.floor(i / 2) })), used: started - 9, accepted: started - 7, skipped: 2 });
const conformance = { version: 1, rules: ruleNames.map((rule) => ({ rule, use: true, pay: rule > 'R1' && rule < 'R6', thresholds: {} })), groups: [funnelOf('laboratory', 17), funnelOf('crowd', 31)], may_pay: true };
const verdicts = [
  { session_id: '0b8f3a52-0000-4000-8000-000000000000', group: 'crowd', origin: 'person', state: 'completed', started_at: '2026-11-21T09:12:00Z', completed_at: '2026-11-21T09:32:00Z', accepted: true, used: false, skipped: 1, left_out_by: ['R3'], findings: [{ rule: 'R3', broken: 'yes', reason: 'trial 4: away for 12.3 s, allowed are 10 s', trials: [4], unknown: 0 }] },
  { session_id: '7c11d9e0-0000-4000-8000-000000000000', group: 'crowd', origin: 'person', state: 'started', started_at: '2026-11-21T09:40:00Z', completed_at: null, accepted: null, used: null, skipped: 0, left_out_by: [], findings: [] },
];
const watched = { played: 240, off_speed: 3, stalled: 2, dropped: 11, unknown: 1 };
/** @param {string | undefined} name */
const roleOf = (name) => (name === 'admin' || name === 'guest' ? name : 'researcher');
const cells = rated().map(({ site, network, stack }, i) => ({ kind: 'rate', role: 'main', group: 'volunteer', context: 'work', site, network, condition: `${network} ${stack}`, clips: 1, votes: i % 11, target: 12 }));
/** @param {string} code @param {string} message @param {Record<string, unknown>} details */
const fault = (code, message, details = {}) => ({ error: { code, message, retry: false, details } });

/** @param {{ single: Film, pair: Film }} clips @returns {(call: Call) => Answer | null} */
export function staffApi(clips) {
  /** @type {Map<string, any>} */
  const batches = new Map();

  /** @param {any} batch */
  const entry = ({ manifest, ...rest }) => ({ ...rest, blobs: undefined, clips: manifest.clips.length });

  return ({ method, path, body, cookie }) => {
    const user = /mock_user=(\w+)/.exec(cookie)?.[1];
    const account = { username: user, role: roleOf(user) };
    if (path === '/api/auth/login') {
      const { username, password } = JSON.parse(body.toString());
      if (password === 'wrong') return { status: 401, json: fault('wrong_credentials', 'User name or password is wrong.') };
      return { status: 200, json: { username, role: roleOf(username) }, headers: { 'Set-Cookie': `mock_user=${username}; HttpOnly; Path=/` } };
    }
    if (path === '/api/auth/logout') return { status: 204, headers: { 'Set-Cookie': 'mock_user=; Max-Age=0; Path=/' } };
    if (!/^\/api\/(auth|accounts|audit|research|batches)/.test(path)) return null;
    if (user === undefined) return { status: 401, json: fault('not_logged_in', 'Log in first.') };
    if (path === '/api/auth/me') return { status: 200, json: account };
    if (path === '/api/research/studies') return { status: 200, json: [summary] };
    if (path === `/api/research/studies/${study}`) return { status: 200, json: { ...summary, cells, study: { study: { plan } } } };
    if (path === `/api/research/studies/${study}/results`) return { status: 200, json: results() };
    if (path === `/api/research/studies/${study}/exports`) {
      return { status: 200, json: [{ id: 'e1', exported_at: '2026-01-02T03:04:05Z', exported_by: 'researcher', snapshot_sha256: study, votes: 12, sessions: 3, withdrawn: 1, withdrawn_at: '2026-01-03T03:04:05Z' }] };
    }
    if (path === `/api/research/studies/${study}/privacy`) {
      return { status: 200, json: { recruiter_ids: 2, retention_months: 6, erasures: [{ id: 'x1', erased_at: '2026-01-03T03:04:05Z', by: 'participant', votes: 4 }] } };
    }
    if (path === `/api/research/studies/${study}/conformance`) return { status: 200, json: { ...conformance, watched: ['laboratory', 'crowd'].map((group) => ({ group, ...watched })) } };
    if (path === `/api/research/studies/${study}/conformance/sessions`) return { status: 200, json: verdicts.map((one) => ({ ...one, watched })) };
    if (path === `/api/research/studies/${study}/unblind`) {
      blinded = false;
      return { status: 204 };
    }
    const managed = manage({ method, path, body });
    if (managed !== null) return managed;
    if (path === '/api/research/fieldings/demo/state') {
      fielding.state = JSON.parse(body.toString()).state;
      return { status: 200, json: fielding };
    }
    if (path === '/api/batches' && method === 'GET') return { status: 200, json: [...batches.values()].map(entry) };
    if (path === '/api/batches') {
      const sha256 = createHash('sha256').update(body).digest('hex');
      const manifest = JSON.parse(body.toString());
      if (manifest.contract !== 'eyelevel/batch/1') return { status: 422, json: fault('bad_manifest', `manifest.json: contract: “${manifest.contract}” is not eyelevel/batch/1.`) };
      const names = (/** @type {{ name: string }[]} */ list) => list.map(({ name }) => name);
      const known = batches.get(sha256) ?? {
        sha256, campaign: manifest.campaign.name, state: 'receiving', received_at: new Date().toISOString(), sites: names(manifest.sites), networks: names(manifest.networks), stacks: names(manifest.stacks),
        takes: manifest.takes.length, bytes: Object.values(manifest.files).reduce((sum, /** @type {any} */ file) => sum + file.bytes, 0), manifest, blobs: new Set(),
      };
      batches.set(sha256, known);
      const digests = [...new Set(Object.values(manifest.files).map((/** @type {any} */ file) => file.sha256))];
      return { status: 200, json: { sha256, state: known.state, missing: digests.filter((digest) => !known.blobs.has(digest)) } };
    }
    const place = /^\/api\/batches\/(\w+)(?:\/(blobs|clips|commit)(?:\/(\w+))?)?$/.exec(path);
    const batch = batches.get(place?.[1] ?? '');
    if (place === null || batch === undefined) return { status: 404, json: fault('not_found', 'No such batch.') };
    switch (place[2]) {
      case 'blobs': {
        const digest = createHash('sha256').update(body).digest('hex');
        if (digest !== place[3]) {
          const culprit = Object.keys(batch.manifest.files).find((name) => batch.manifest.files[name].sha256 === place[3]);
          return { status: 422, json: fault('wrong_digest', `${culprit}: the bytes have the digest ${digest.slice(0, 10)}…, but the manifest says ${place[3]?.slice(0, 10)}….`) };
        }
        batch.blobs.add(digest);
        return { status: 204 };
      }
      case 'commit':
        batch.state = 'visible';
        return { status: 200, json: entry(batch) };
      case 'clips':
        return { status: 200, bytes: clips.single.bytes, type: 'video/mp4' };
      default:
        return { status: 200, json: { ...entry(batch), clips: batch.manifest.clips.map((/** @type {any} */ clip) => ({ width_px: 1280, height_px: 720, ...clip, metrics: clip.stacks.map(() => ({ fvc_ms: 400, si_ms: 700, vc85_ms: 800, lvc_ms: 1900, plt_ms: null })) })) } };
    }
  };
}
