import type { ErrorBody, ErrorCode, ErrorDetail } from '#contract/errors.ts';

/** The one error that modules throw; only this folder knows how it becomes an answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  /** Sent as they are, e.g. Retry-After. */
  readonly headers: Record<string, string>;
  /** Replaces the error body, e.g. the current record of a 412. */
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

/** Unknown and someone else's are the same answer. */
export function notFound(what: string): ApiError {
  return new ApiError(404, 'not_found', `${what} not found`);
}

export function unauthorized(): ApiError {
  return new ApiError(401, 'unauthorized', 'Authentication required');
}

/** For now: the same request may do as well in a moment. */
export function unavailable(message: string): ApiError {
  return new ApiError(503, 'unavailable', message, { headers: { 'retry-after': '2' } });
}

/** 422 for one place; `loc` starts with body, query or header. */
export function invalid(loc: ErrorDetail['loc'], msg: string): ApiError {
  return invalidInput([{ loc, msg }]);
}

export function invalidInput(detail: ErrorDetail[]): ApiError {
  const message = detail.map(({ loc, msg }) => `${loc.at(-1)}: ${msg}`).join(', ');
  return new ApiError(422, 'invalid', message, { detail });
}
