import * as v from 'valibot';

const ErrorBody = v.object({
  error: v.object({
    code: v.string(),
    message: v.string(),
    retry: v.optional(v.boolean(), false),
    details: v.optional(v.record(v.string(), v.unknown()), {}),
  }),
});

/**
 * What went wrong with one call. `status` is 0 when no answer came; `retry` says that the same call may work later;
 * `foreign` says that what answered was not our server, or not in the form that it answers in.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly retry: boolean,
    readonly details: Record<string, unknown> = {},
    readonly foreign = false,
  ) {
    super(message);
  }
}

export function unreachable(): ApiError {
  return new ApiError('unreachable', 'The server could not be reached.', 0, true);
}

export function unexpectedAnswer(path: string, status: number): ApiError {
  return new ApiError('unexpected_answer', `The answer to ${path} was not in the expected form.`, status, false, {}, true);
}

/** The error of an answer that is not 2xx; proxies answer without our JSON shape. */
export function errorOf(path: string, status: number, body: unknown): ApiError {
  const parsed = v.safeParse(ErrorBody, body);
  if (parsed.success) {
    const { code, message, retry, details } = parsed.output.error;
    return new ApiError(code, message, status, retry || status === 429 || status === 503, details);
  }
  const message = `The server answered ${path} with status ${String(status)}.`;
  return new ApiError(`http_${String(status)}`, message, status, status >= 500 || status === 429, {}, true);
}

/** True for failures that say nothing about the request itself, such as an answer that broke off: try again. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.retry || error.foreign);
}
