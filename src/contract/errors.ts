import * as v from 'valibot';

/** Every code this API answers with; clients may meet others. */
export type ErrorCode =
  | 'invalid'
  | 'unauthorized'
  | 'not_verified'
  | 'forbidden'
  | 'not_found'
  | 'version_mismatch'
  | 'idempotency_mismatch'
  | 'too_many_requests'
  | 'body_too_large'
  | 'invalid_token'
  | 'unavailable'
  | 'internal';

/** One complaint about one place of the input. */
export interface ErrorDetail {
  loc: (string | number)[];
  msg: string;
}

export interface ErrorBody {
  code: ErrorCode;
  message: string;
  detail?: ErrorDetail[];
}

/** The body of every refusal. The code is any text, so that a later server's codes pass. */
export const errorBodySchema: v.GenericSchema<unknown, Omit<ErrorBody, 'code'>> = v.looseObject({
  code: v.string(),
  message: v.string(),
  detail: v.exactOptional(
    v.array(v.looseObject({ loc: v.array(v.union([v.string(), v.number()])), msg: v.string() })),
  ),
});
