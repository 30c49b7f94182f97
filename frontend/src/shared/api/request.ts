import * as v from 'valibot';

import { errorOf, unexpectedAnswer, unreachable } from './error';

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  json?: unknown;
  body?: Blob | string;
  contentType?: string;
  signal?: AbortSignal | undefined;
  /** The call goes on when the page is closed. */
  keepalive?: boolean;
}

// a connection that went away under a sleeping laptop may never say so
const ANSWER_MS = 20_000;

/** The token that Django wants repeated in a header; null before the first answer set it. Over https its cookie has a prefix. */
export function csrfToken(): string | null {
  const found = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie);
  return found?.[1] ?? null;
}

async function send(path: string, options: RequestOptions): Promise<Response> {
  const method = options.method ?? 'GET';
  const headers = new Headers({ Accept: 'application/json' });
  let body: BodyInit | null = null;
  if (options.json !== undefined) {
    headers.set('Content-Type', 'application/json');
    body = JSON.stringify(options.json);
  } else if (options.body !== undefined) {
    headers.set('Content-Type', options.contentType ?? 'application/octet-stream');
    body = options.body;
  }
  const token = csrfToken();
  if (method !== 'GET' && token !== null) headers.set('X-CSRFToken', token);
  // files take as long as they take
  const signal = options.signal ?? (options.body === undefined ? AbortSignal.timeout(ANSWER_MS) : null);
  try {
    return await fetch(path, { method, headers, body, credentials: 'same-origin', signal, keepalive: options.keepalive ?? false });
  } catch (error) {
    if (options.signal?.aborted === true) throw error;
    throw unreachable();
  }
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/** One call; the answer is parsed at this border. Throws ApiError, or the abort of `signal`. */
export async function request<S extends v.GenericSchema>(schema: S, path: string, options: RequestOptions = {}): Promise<v.InferOutput<S>> {
  const response = await send(path, options);
  const body = response.status === 204 ? undefined : await jsonOf(response);
  if (!response.ok) throw errorOf(path, response.status, body);
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) {
    console.error(`unexpected answer of ${path}:`, v.summarize(parsed.issues));
    throw unexpectedAnswer(path, response.status);
  }
  return parsed.output;
}

/** For calls that answer 204. */
export const Nothing = v.undefined();
