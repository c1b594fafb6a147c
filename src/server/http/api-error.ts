import type { ErrorBody, ErrorCode, ErrorDetail } from '#contract/errors.ts';

/** The only error that routes throw on purpose; error-responses.ts turns it into an HTTP response. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** Extra response headers, such as Retry-After. */
  readonly headers: Record<string, string>;
  /** Sent instead of the error body, such as the current record of a 412. */
  readonly currentJson: string | null;

  constructor(
    status: number,
    code: ErrorCode,
    message: string,
    options: {
      detail?: ErrorDetail[];
      headers?: Record<string, string>;
      currentJson?: string;
    } = {},
  ) {
    super(message);
    this.status = status;
    this.body = {
      code,
      message,
      ...(options.detail && { detail: options.detail }),
    };
    this.headers = options.headers ?? {};
    this.currentJson = options.currentJson ?? null;
  }
}

/** 404, both for rows that do not exist and for rows of another account. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `${what} not found`);
}

export function unauthorized(): ApiError {
  // A 401 must name the scheme (RFC 9110, 15.5.2). Browsers do not ask for a password for Bearer.
  const headers = { 'www-authenticate': 'Bearer' };
  return new ApiError(401, 'unauthorized', 'Authentication required', { headers });
}

/** 503 for a temporary problem: the client should send the same request again after 2 s. */
export function unavailable(message: string): ApiError {
  return new ApiError(503, 'unavailable', message, { headers: { 'retry-after': '2' } });
}

/** 422 for one field; `loc` starts with body, query or header. */
export function invalid(loc: ErrorDetail['loc'], msg: string): ApiError {
  return invalidInput([{ loc, msg }]);
}

/** 422 for one field of the body, with a message that the app shows unchanged. */
export function invalidField(field: string, message: string): ApiError {
  return new ApiError(422, 'invalid', message, {
    detail: [{ loc: ['body', field], msg: message }],
  });
}

export function invalidInput(detail: ErrorDetail[]): ApiError {
  const message = detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join(', ');
  return new ApiError(422, 'invalid', message, { detail });
}
