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
 * A failed API call. `status` is 0 without a response. `retry`: the same call may succeed later.
 * `foreign`: the response did not come from the platform, or does not have its form.
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

export function unexpectedAnswer(): ApiError {
  return new ApiError('unexpected_answer', 'The answer of the server was not in the expected form.', 200, false, {}, true);
}

/** Creates the error for a response that is not 2xx. A response without the platform's JSON form, as from a proxy, gets a code made from the status. */
export function errorOf(status: number, body: unknown): ApiError {
  const parsed = v.safeParse(ErrorBody, body);
  if (parsed.success) {
    const { code, message, retry, details } = parsed.output.error;
    return new ApiError(code, message, status, retry || status === 429 || status === 503, details);
  }
  const message = `The server answered with status ${String(status)}.`;
  return new ApiError(`http_${String(status)}`, message, status, status >= 500 || status === 429, {}, true);
}

/** Whether an error is transient, such as an interrupted response, so that a retry can succeed. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError && (error.retry || error.foreign);
}
