import type * as v from 'valibot';
import type { ErrorDetail } from '#contract/errors.ts';

export type Tag =
  | 'Accounts'
  | 'Plants'
  | 'Journal'
  | 'Readings'
  | 'Devices'
  | 'Reminders'
  | 'Calendar'
  | 'Service';

/** An example of a request that gets a 422, with its error detail. */
export interface BadInput {
  summary: string;
  body?: object;
  /** Including the question mark. */
  query?: string;
  detail: ErrorDetail[];
}

/** Describes one endpoint. Responses that follow from these properties are added in responses.ts. */
export interface Operation {
  /** Unique in the document. */
  id: string;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** As in the contract, with `:id` for parameters. */
  path: string;
  tag: Tag;
  summary: string;
  description?: string;
  caller: 'anybody' | 'person' | 'person or device';
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  /** The files of a multipart/form-data body, by name, with their descriptions. */
  files?: Readonly<Record<string, string>>;
  /** A valid body. */
  example?: object;
  success: Success;
  /** A second possible success response, with a different status. */
  alternative?: Success;
  /** If the body may also be an array of such bodies. */
  array?: { body: v.GenericSchema; success: Success };
  /** Whether it supports Idempotency-Key. */
  isIdempotent?: true;
  condition?: 'if-match' | 'if-none-match';
  /** What a 226 contains, if the operation accepts `A-IM: sprig-delta`. */
  delta?: v.GenericSchema;
  /** Whether attempts are rate-limited. */
  isLimited?: true;
  /** What the ids in the path identify. */
  names?: 'plant' | 'plant or entry' | 'photo' | 'photo or plant' | 'device token' | 'session';
  /** Descriptions of further error responses, by status. They replace derived ones with the same status. */
  errors?: Readonly<Record<number, string>>;
  badInput?: readonly BadInput[];
}

export interface Success {
  status: 200 | 201 | 302;
  description: string;
  /** Omitted if the response has no body. */
  schema?: v.GenericSchema;
  /** Of a body that is not JSON. */
  contentType?: string;
  hasEtag?: true;
}
