import * as v from 'valibot';

/** Every error code of this API. A newer server may send further ones. */
export type ErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'not_verified'
  | 'forbidden'
  | 'not_found'
  | 'gone'
  | 'version_mismatch'
  | 'idempotency_mismatch'
  | 'not_executed'
  | 'not_sent'
  | 'too_many_requests'
  | 'body_too_large'
  | 'invalid_token'
  | 'unavailable'
  | 'internal';

/** One error at one place of the input. */
export interface ErrorDetail {
  loc: (string | number)[];
  msg: string;
}

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  detail?: ErrorDetail[];
}

/** The body of every error response. The code is any text, so that codes of a newer server are accepted. */
export const errorBodySchema: v.GenericSchema<unknown, Omit<ErrorBody, 'code'>> = v.looseObject({
  code: v.string(),
  message: v.string(),
  detail: v.exactOptional(
    v.array(v.looseObject({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string() })),
  ),
});
