import type * as v from 'valibot';
import type { ErrorDetail } from '#contract/errors.ts';

export type Tag = 'Accounts' | 'Plants' | 'Readings' | 'Devices' | 'Service';

/** A request that is refused with 422, and why. */
export interface BadInput {
  summary: string;
  body?: object;
  /** With its question mark. */
  query?: string;
  detail: ErrorDetail[];
}

/** One call of the API. What every call of its kind answers is not written here but in answers.ts. */
export interface Operation {
  /** Unique in the document. */
  id: string;
  method: 'get' | 'post' | 'put' | 'delete';
  /** As in the contract, with `:id`. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  caller: 'anybody' | 'person' | 'person or device';
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  /** A body that is accepted. */
  example?: object;
  success: Success;
  /** Takes an Idempotency-Key. */
  isIdempotent?: true;
  condition?: 'if-match' | 'if-none-match';
  /** Attempts are counted, and too many refused. */
  isLimited?: true;
  /** What `:id` names. */
  names?: 'plant' | 'device token';
  /** What else it refuses, by status. */
  refuses?: Readonly<Record<number, string>>;
  badInput?: readonly BadInput[];
}

export interface Success {
  status: 200 | 201 | 302;
  description: string;
  /** None: no body. */
  schema?: v.GenericSchema;
  hasEtag?: true;
}
