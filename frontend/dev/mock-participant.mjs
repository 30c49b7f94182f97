// The participant's side of the mock: one study "demo" with ratings and comparisons, and one slug per other state.
import { randomUUID } from 'node:crypto';

/** @typedef {{ status: number, json?: unknown, bytes?: Buffer, type?: string, headers?: Record<string, string> }} Answer */
/** @typedef {{ method: string, path: string, body: Buffer, cookie: string }} Call */
/** @typedef {{ bytes: Buffer, sha256: string }} Film */

const question = { en: 'How satisfying was the speed of the loading process to you?', de: 'Wie zufriedenstellend war die Geschwindigkeit des Ladevorgangs für Sie?' };
const labels = [
  ['extremely bad', 'extrem schlecht'],
  ['bad', 'schlecht'],
  ['poor', 'dürftig'],
  ['fair', 'ordentlich'],
  ['good', 'gut'],
  ['excellent', 'ausgezeichnet'],
  ['ideal', 'ideal'],
].map(([en, de]) => ({ en, de }));
const sureness = [
  ['not sure at all', 'gar nicht sicher'],
  ['rather unsure', 'eher unsicher'],
  ['moderately sure', 'mäßig sicher'],
  ['rather sure', 'eher sicher'],
  ['very sure', 'sehr sicher'],
].map(([en, de]) => ({ en, de }));
const contexts = [
  { key: 'work', label: { en: 'at work', de: 'bei der Arbeit' } },
  { key: 'free-time', label: { en: 'at home in your free time', de: 'in Ihrer Freizeit zu Hause' } },
  { key: 'plane', label: { en: 'on a plane', de: 'in einem Flugzeug' } },
];

const study = {
  title: { en: 'How fast do websites feel?', de: 'Wie schnell fühlen sich Websites an?' },
  languages: ['en', 'de'],
  consent: {
    version: '1',
    text: {
      en: 'In this study you watch short videos of websites that are loading, and say how satisfied you are with their speed.\n\nTaking part is voluntary; you may stop at any time by closing the page. We store your answers, when you gave them, and the size of your window. We do not store your name or your network address.\n\nThe answers are used for research on the speed of the Web, and may be published in anonymous form.',
      de: 'In dieser Studie sehen Sie kurze Videos von Websites, die gerade laden, und sagen, wie zufrieden Sie mit der Geschwindigkeit sind.\n\nDie Teilnahme ist freiwillig; Sie können jederzeit aufhören, indem Sie die Seite schließen. Wir speichern Ihre Antworten, deren Zeitpunkt und die Größe Ihres Fensters. Wir speichern weder Ihren Namen noch Ihre Netzadresse.\n\nDie Antworten dienen der Forschung zur Geschwindigkeit des Webs und werden möglicherweise in anonymer Form veröffentlicht.',
    },
  },
  contact: 'study@example.org',
  instructions: { en: 'Please watch each video attentively until its end.', de: 'Bitte sehen Sie jedes Video aufmerksam bis zum Ende an.' },
  questions: [
    {
      key: 'age',
      label: { en: 'How old are you?', de: 'Wie alt sind Sie?' },
      required: true,
      choices: [
        { key: 'under-25', label: { en: 'younger than 25', de: 'jünger als 25' } },
        { key: '25-31', label: { en: '25 to 31', de: '25 bis 31' } },
        { key: 'over-31', label: { en: 'older than 31', de: 'älter als 31' } },
      ],
    },
    {
      key: 'hours',
      label: { en: 'How many hours a day are you online?', de: 'Wie viele Stunden sind Sie täglich online?' },
      required: false,
      choices: [
        { key: 'under-4', label: { en: 'fewer than 4', de: 'weniger als 4' } },
        { key: '4-8', label: { en: '4 to 8', de: '4 bis 8' } },
        { key: 'over-8', label: { en: 'more than 8', de: 'mehr als 8' } },
      ],
    },
  ],
  trial_count: 5,
  minutes: 3,
};

const controls = [
  {
    key: 'attention',
    after: 2,
    label: { en: 'What did the last video show?', de: 'Was war im letzten Video zu sehen?' },
    choices: [
      { key: 'website', label: { en: 'a website', de: 'eine Website' } },
      { key: 'animal', label: { en: 'an animal', de: 'ein Tier' } },
    ],
  },
];

/** @param {string} code @param {string} message @param {Record<string, unknown>} details */
const fault = (code, message, details = {}) => ({ error: { code, message, retry: false, details } });

/** @param {{ single: Film, pair: Film }} clips @returns {(call: Call) => Answer | null} */
export function participantApi(clips) {
  /** @type {Map<string, { json: any, votes: Map<string, any>, plays: Map<string, any>, code: string }>} */
  const sessions = new Map();
  /** @type {Map<string, Film>} */
  const tokens = new Map();

  const trialsOf = () =>
    ['rate', 'rate', 'slider', 'compare', 'compare'].map((kind, index) => {
      const film = kind === 'compare' ? clips.pair : clips.single;
      const token = randomUUID();
      tokens.set(token, film);
      return {
        position: index + 1,
        kind,
        kind_version: 1,
        context: contexts[index % contexts.length],
        clip: { url: `/clips/${token}`, bytes: film.bytes.length, sha256: film.sha256, width_px: kind === 'compare' ? 2560 : 1280, height_px: 720, start_ms: 1000, frame_rate: 30 },
        // one of each, so that both can be looked at
        answer_from: index === 1 ? 'start' : 'end',
        params:
          kind === 'compare'
            ? { question: { en: 'Which website loaded faster for you?', de: 'Welche Website hat für Sie schneller geladen?' }, min_width_px: 1024, sureness_labels: sureness }
            : { question, labels },
      };
    });

  return ({ method, path, body, cookie }) => {
    const id = /eyelevel_session=([\w-]+)/.exec(cookie)?.[1];
    const session = id === undefined ? undefined : sessions.get(id);
    const slug = /^\/api\/participate\/([\w-]+)(\/sessions)?$/.exec(path);
    if (slug !== null) {
      const state = slug[1] === 'demo' ? 'open' : ['paused', 'closed', 'full'].find((name) => name === slug[1]);
      if (state === undefined) return { status: 404, json: fault('not_found', 'There is no study at this address.') };
      if (slug[2] === undefined) return { status: 200, json: { ...study, state } };
      const asked = JSON.parse(body.toString());
      const json = { id: randomUUID(), state: 'started', language: asked.language, study: { ...study, slug: 'demo' }, person_answered: false, trials: trialsOf(), answered: [], controls, controls_answered: [] };
      sessions.set(json.id, { json, votes: new Map(), plays: new Map(), code: randomUUID().slice(0, 8).toUpperCase() });
      return { status: 201, json, headers: { 'Set-Cookie': `eyelevel_session=${json.id}; HttpOnly; SameSite=Strict; Path=/` } };
    }
    const clip = /^\/clips\/([\w-]+)$/.exec(path);
    if (clip !== null) {
      const film = tokens.get(clip[1] ?? '');
      return film === undefined ? { status: 404, json: fault('not_found', 'No such clip.') } : { status: 200, bytes: film.bytes, type: 'video/mp4' };
    }
    if (path.startsWith('/api/withdrawals')) {
      const promises = { session_id: id ?? randomUUID(), promises: [{ title: study.title, languages: study.languages, consent_version: '1', consent: study.consent.text, retention: null, contact: study.contact, votes: 5 }] };
      if (path === '/api/withdrawals/own') return session === undefined ? { status: 401, json: fault('no_session', 'This browser has no session.') } : { status: 200, json: promises };
      if (path === '/api/withdrawals/lookup') return { status: 200, json: promises };
      const erased = { erased_at: new Date().toISOString(), sessions: 1, votes: 5, plays: 6, answers_about_person: 1, recruiter_ids: 0, snapshots: 1, exports: [{ exported_at: '2026-01-02T03:04:05Z' }] };
      return { status: 200, json: erased, headers: { 'Set-Cookie': 'eyelevel_session=; Max-Age=0; Path=/' } };
    }
    if (!path.startsWith('/api/session')) return null;
    if (session === undefined) return { status: 401, json: fault('no_session', 'This browser has no session.') };
    if (method === 'GET') return { status: 200, json: session.json };
    const asked = JSON.parse(body.toString());
    if (asked.session_id !== id) return { status: 409, json: fault('other_session', 'This browser has begun another session since.') };
    const item = /^\/api\/session\/(plays|votes)\/([\w-]+)$/.exec(path);
    if (path === '/api/session/person') {
      session.json.person_answered = true;
      return { status: 204 };
    }
    const control = /^\/api\/session\/controls\/([\w-]+)$/.exec(path);
    if (control !== null) {
      session.json.controls_answered.push(control[1]);
      return { status: 204 };
    }
    if (item !== null) {
      const rows = item[1] === 'plays' ? session.plays : session.votes;
      const known = rows.get(item[2] ?? '');
      if (known !== undefined) return { status: 200, json: known };
      if (item[1] === 'votes' && session.json.answered.includes(asked.position)) {
        return { status: 409, json: fault('already_answered', `Trial ${asked.position} has an answer.`) };
      }
      const receipt = { id: item[2], position: asked.position, received_at: new Date().toISOString() };
      rows.set(item[2] ?? '', receipt);
      console.log(item[1], JSON.stringify(asked));
      if (item[1] === 'votes') session.json.answered.push(asked.position);
      return { status: 200, json: receipt };
    }
    if (path === '/api/session/finish') {
      const held = new Set([...session.json.answered, ...asked.skipped]);
      const positions = session.json.trials.map((/** @type {{ position: number }} */ trial) => trial.position).filter((/** @type {number} */ position) => !held.has(position));
      if (positions.length > 0) return { status: 409, json: fault('votes_missing', 'Some votes are missing.', { positions }) };
      if (!session.json.person_answered) return { status: 409, json: fault('person_missing', 'Some questions have no answer.', { keys: ['age'] }) };
      session.json.state = 'completed';
      return { status: 200, json: { completion_code: session.code, debriefing: null } };
    }
    return null;
  };
}
