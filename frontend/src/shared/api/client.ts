import createClient, { defaultPathSerializer } from 'openapi-fetch';

import type { paths } from './contract.gen';
import { ApiError, errorOf, unexpectedAnswer, unreachable } from './error';

// a connection that broke while a laptop was asleep may never report an error
const ANSWER_MS = 20_000;

/** Returns the CSRF token that Django expects in a header of write requests, or null until a response has set it. Over https, the name of the cookie has a prefix. */
export function csrfToken(): string | null {
  const match = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie);
  return match?.[1] ?? null;
}

/** A request with a time limit, unless the caller passes a signal. */
class TimedRequest extends Request {
  constructor(input: RequestInfo | URL, init?: RequestInit) {
    super(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(ANSWER_MS) });
  }
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

async function send(request: Request): Promise<Response> {
  const token = csrfToken();
  if (request.method !== 'GET' && token !== null) request.headers.set('X-CSRFToken', token);
  try {
    return await fetch(request);
  } catch (error) {
    throw isAbort(error) ? error : unreachable();
  }
}

/** Typed calls of the endpoints in docs/contracts/openapi.json; `answer` unwraps their results. */
export const api = createClient<paths>({ baseUrl: location.origin, headers: { Accept: 'application/json' }, Request: TimedRequest, fetch: send });

type Names<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** Returns the URL of an endpoint for a plain link, a video or an upload. */
export function urlOf<Path extends keyof paths>(path: Path, names: Record<Names<Path>, string>): string {
  return defaultPathSerializer(path, names);
}

/** Returns the body of a call's response, or undefined for 204. Throws ApiError if the call failed or the body is not JSON, and rethrows the caller's abort. */
export async function answer<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call.catch((reason: unknown) => {
    if (reason instanceof ApiError || isAbort(reason)) throw reason;
    console.error('an answer could not be read:', reason);
    throw unexpectedAnswer();
  });
  if (!response.ok) throw errorOf(response.status, error);
  if (data === undefined && response.status !== 204) throw unexpectedAnswer();
  return data as T;
}
