import * as v from 'valibot';
import type { ApiRequest } from '#contract/request.ts';
import { type ApiResponse, NoResponse, type RequestOptions, send } from './send.ts';

/** A failed call. Its message is shown to the person. */
export class ApiError extends Error {
  /**
   * null without a usable response of the server, e.g. if a gateway or captive portal responded instead. It is 401
   * even if a gateway sent that.
   */
  readonly status: number | null;
  /** Whether the message describes a response, which may be a gateway's; false for a fallback text. */
  readonly describesResponse: boolean;
  /** Retry-After, ms. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    status: number | null,
    describesResponse = status !== null,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.describesResponse = describesResponse;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether the server wants no further calls for now. */
  get isPause(): boolean {
    return this.status === 425 || this.status === 429;
  }
}

/**
 * The error messages of a call. `fallback`: there was no response, or a successful one had an unexpected body.
 * `byStatus`: used instead of the message in the body. `callName`: begins the message for an error response whose body
 * has none.
 */
export interface ErrorTexts {
  fallback: string;
  byStatus?: Record<number, string>;
  callName?: string;
}

/** For calls whose response body is not used. It must be a JSON object, which a captive portal would not send. */
export const anyJson: v.GenericSchema<unknown, object> = v.looseObject({});

const textByStatus: Readonly<Record<number, string>> = { 401: 'Authentication required' };

/** Sends a request and checks the shape of the response. Throws ApiError. */
export async function sendRequest<T>(
  request: ApiRequest,
  call: RequestOptions,
  schema: v.GenericSchema<unknown, T>,
  texts: ErrorTexts,
): Promise<T> {
  const response = await responseTo(request, call, texts);
  return parseBody(response, schema, texts);
}

/** The result of a list request: the whole list, the changes since the known version, or that nothing has changed. */
export type ListResponse<T, D> =
  | { type: 'whole'; value: T }
  | { type: 'delta'; delta: D }
  | { type: 'unchanged' };

/**
 * Requests a list of which the client may already have the version `knownEtag`. If the server knows what has changed
 * since that version, it sends only that. Throws ApiError.
 */
export async function requestList<T, D>(
  request: ApiRequest,
  call: RequestOptions,
  schemas: { whole: v.GenericSchema<unknown, T>; delta: v.GenericSchema<unknown, D> },
  texts: ErrorTexts,
  knownEtag: string | null,
): Promise<{ list: ListResponse<T, D>; response: ApiResponse }> {
  const response = await responseTo(request, call, texts, knownEtag);
  // 304 and 226 are valid responses only to If-None-Match. Without it, the body must be the whole list.
  const isConditional = knownEtag !== null;
  if (isConditional && response.status === 304) return { list: { type: 'unchanged' }, response };
  if (isConditional && response.status === 226) {
    const delta = parseBody(response, schemas.delta, texts);
    return { list: { type: 'delta', delta }, response };
  }
  return { list: { type: 'whole', value: parseBody(response, schemas.whole, texts) }, response };
}

/** Whether the server itself responded: 502, 503, 504 and non-JSON bodies come from a proxy or a captive portal. */
export function isFromServer(response: Pick<ApiResponse, 'status' | 'isJson'>): boolean {
  return response.isJson && ![502, 503, 504].includes(response.status);
}

async function responseTo(
  request: ApiRequest,
  call: RequestOptions,
  texts: ErrorTexts,
  ifNoneMatch: string | null = null,
): Promise<ApiResponse> {
  const response = await send(request, call, { ifNoneMatch }).catch((error: unknown) => {
    if (error instanceof NoResponse) throw new ApiError(texts.fallback, null);
    throw error;
  });
  if (response.ok || response.status === 304) return response;
  const fixed = (texts.byStatus ?? textByStatus)[response.status];
  const message = fixed ?? errorMessage(response, texts.callName ?? 'Request');
  // A 401 ends the session even if a gateway sent it; other statuses count only if the server sent them.
  const countsAsResponse = response.status === 401 || isFromServer(response);
  throw new ApiError(
    message,
    countsAsResponse ? response.status : null,
    true,
    response.retryAfterMs,
  );
}

/** Throws for a body of another shape, e.g. the HTML page that a captive portal sends with status 200. */
function parseBody<T>(
  response: ApiResponse,
  schema: v.GenericSchema<unknown, T>,
  texts: ErrorTexts,
): T {
  const parsed = v.safeParse(schema, response.body);
  if (!parsed.success) throw new ApiError(texts.fallback, null);
  return parsed.output;
}

/**
 * The message for a failed call: the first non-empty field of message, detail, error and error_description, else the
 * body as text, or the status if there is no body.
 */
export function errorMessage(
  { status, body }: Pick<ApiResponse, 'status' | 'body'>,
  callName: string,
): string {
  if (body === undefined || body === null) return `${callName} failed with status ${status}`;
  if (Array.isArray(body) && !isEmptyList(body)) return body.map(asText).join(', ');
  if (typeof body !== 'object') return String(body);
  const fields = body as Record<string, unknown>;
  const text = [fields.message, fields.detail, fields.error, fields.error_description].find(
    (value) => value !== undefined && value !== null && value !== '' && !isEmptyList(value),
  );
  if (text === undefined) return JSON.stringify(body);
  return Array.isArray(text) ? text.map(asText).join(', ') : asText(text);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** A text is shown as it is; a validation error as 'field: message', if it names a field; any other value as JSON. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { loc, msg } = (value ?? {}) as { loc?: unknown; msg?: unknown };
  if (typeof msg !== 'string') return JSON.stringify(value);
  const place = Array.isArray(loc) ? loc.at(-1) : undefined;
  return place === undefined ? msg : `${String(place)}: ${msg}`;
}
