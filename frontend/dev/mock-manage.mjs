// Accounts, tokens, shares and the log of the mock, in memory.

/** @typedef {import('./mock-participant.mjs').Answer} Answer */

const now = () => new Date().toISOString();
/** @type {any[]} */
const people = ['admin', 'guest', 'researcher'].map((role) => ({ username: role, role, is_active: true, last_login: role === 'guest' ? null : now() }));
/** @type {any[]} */
let tokens = [{ id: 1, name: 'capture machine', scope: 'results', created_at: now(), expires_at: '2027-02-19T09:00:00Z', last_used_at: now() }];
/** @type {any[]} */
let shares = [{ username: 'guest', role: 'guest', level: 'read', shared_at: now() }];
const entries = [
  { id: 3, at: now(), actor: 'researcher', what: 'share', kind: 'study', target: 'demo-2026', study_sha256: null, details: { did: 'shared', with: 'guest', level: 'read' } },
  { id: 2, at: now(), actor: 'admin', what: 'role', kind: 'account', target: 'rita', study_sha256: null, details: { from: 'guest', to: 'researcher' } },
  { id: 1, at: now(), actor: null, what: 'account', kind: 'account', target: 'admin', study_sha256: null, details: { did: 'made', role: 'admin' } },
];

/** @param {{ method: string, path: string, body: Buffer }} call @returns {Answer | null} */
export function manage({ method, path, body }) {
  const sent = () => JSON.parse(body.toString());
  const [, shared] = /\/shares(?:\/(.+))?$/.exec(path) ?? [];
  if (path.endsWith('/shares')) return { status: 200, json: shares };
  if (shared !== undefined) {
    const before = shares.find(({ username }) => username === shared);
    shares = shares.filter(({ username }) => username !== shared);
    if (method === 'DELETE') return { status: 204 };
    const row = { role: 'researcher', shared_at: now(), ...before, username: shared, ...sent() };
    shares.push(row);
    return { status: 200, json: row };
  }
  if (path.startsWith('/api/audit')) return { status: 200, json: { entries, before: null } };
  if (path === '/api/auth/password') return { status: 204 };
  if (path === '/api/auth/tokens' && method === 'GET') return { status: 200, json: tokens };
  if (path === '/api/auth/tokens') {
    const { name, scope, days } = sent();
    const row = { id: tokens.length + 2, name, scope, created_at: now(), expires_at: new Date(Date.now() + days * 864e5).toISOString(), last_used_at: null };
    tokens = [row, ...tokens];
    return { status: 201, json: { ...row, token: 'ey_shown-this-once' } };
  }
  if (path.startsWith('/api/auth/tokens/')) {
    tokens = tokens.filter(({ id }) => !path.endsWith(`/${id}`));
    return { status: 204 };
  }
  if (path === '/api/accounts' && method === 'GET') return { status: 200, json: people };
  if (path === '/api/accounts') {
    const row = { ...sent(), is_active: true, last_login: null };
    people.push(row);
    return { status: 201, json: { ...row, password: 'shown-this-once' } };
  }
  const [, name, what] = /^\/api\/accounts\/([^/]+)\/(role|active|password)$/.exec(path) ?? [];
  const person = people.find(({ username }) => username === name);
  if (person === undefined) return null;
  if (what === 'password') return { status: 200, json: { password: 'shown-this-once' } };
  if (what === 'role') person.role = sent().role;
  else person.is_active = sent().active;
  return { status: 200, json: person };
}
