import * as v from 'valibot';
import type { ApiRequest } from '#contract/request.ts';
import { errorMessage } from './error-message.ts';
import { type ApiResponse, NoResponse, type RequestOptions, send } from './send.ts';

/** A call that failed, in words for a person. */
export class ApiError extends Error {
  /** null: nobody answered, or a gateway or captive portal did instead of the server. */
  readonly status: number | null;
  /** Whether the message is the server's own; a fallback of the catalogue otherwise. */
  readonly fromServer: boolean;
  /** How long the server asked to be left alone, ms. */
  readonly retryAfterMs: number | null;

  constructor(
    message: string,
    status: number | null,
    fromServer = status !== null,
    retryAfterMs: number | null = null,
  ) {
    super(message);
    this.status = status;
    this.fromServer = fromServer;
    this.retryAfterMs = retryAfterMs;
  }
}

/** How one call of the catalogue fails: its fallback, and the texts that statuses are given instead of the body's. */
export interface ErrorTexts {
  fallback: string;
  byStatus?: Record<number, string>;
  callName?: string;
}

/** For calls whose answer nobody reads: that it is JSON shows that the server gave it, not a captive portal. */
export const anyJson: v.GenericSchema<unknown, object> = v.looseObject({});

const otherCalls: Readonly<Record<number, string>> = { 401: 'Authentication required' };

/** Sends a request and checks the answer's shape; throws an ApiError with the catalogue's words. */
export async function sendRequest<T>(
  request: ApiRequest,
  call: RequestOptions,
  schema: v.GenericSchema<unknown, T>,
  texts: ErrorTexts,
): Promise<T> {
  const answer = await answerTo(request, call, texts);
  return checked(answer, schema, texts);
}

/** Like ask, for a list the client may already have: 'unchanged' when the server says so. */
export async function requestIfChanged<T>(
  request: ApiRequest,
  call: RequestOptions,
  schema: v.GenericSchema<unknown, T>,
  texts: ErrorTexts,
  knownEtag: string | null,
): Promise<{ value: T | 'unchanged'; answer: ApiResponse }> {
  const answer = await answerTo(request, call, texts, knownEtag);
  if (answer.status === 304) return { value: 'unchanged', answer };
  return { value: checked(answer, schema, texts), answer };
}

/** 502, 503, 504 and whatever is not JSON come from something between us and the server. */
export function isFromServer(answer: Pick<ApiResponse, 'status' | 'isJson'>): boolean {
  return answer.isJson && ![502, 503, 504].includes(answer.status);
}

async function answerTo(
  request: ApiRequest,
  call: RequestOptions,
  texts: ErrorTexts,
  ifNoneMatch: string | null = null,
): Promise<ApiResponse> {
  const answer = await send(request, call, { ifNoneMatch }).catch((error: unknown) => {
    if (error instanceof NoResponse) throw new ApiError(texts.fallback, null);
    throw error;
  });
  if (answer.ok || answer.status === 304) return answer;
  const fixed = (texts.byStatus ?? otherCalls)[answer.status];
  const message = fixed ?? errorMessage(answer, texts.callName ?? 'Request');
  // A 401 ends the session whoever says it (spec section 8); other words of a gateway are not the server's.
  const isAnswer = answer.status === 401 || isFromServer(answer);
  throw new ApiError(message, isAnswer ? answer.status : null, true, answer.retryAfterMs);
}

/** An HTML page with status 200 is a captive portal, not an answer. */
function checked<T>(
  answer: ApiResponse,
  schema: v.GenericSchema<unknown, T>,
  texts: ErrorTexts,
): T {
  const parsed = v.safeParse(schema, answer.body);
  if (!parsed.success) throw new ApiError(texts.fallback, null);
  return parsed.output;
}
