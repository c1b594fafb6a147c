import type { LightMyRequestResponse } from 'fastify';
import type { App } from '#server/http/app-deps.ts';
import { type Account, bearer } from './server.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  /** A string or buffer is sent unchanged, with the content type of JSON unless `headers` has another one. */
  payload?: object | string | Buffer;
  key?: string;
  ifMatch?: string;
  ifNoneMatch?: string | undefined;
  headers?: Record<string, string>;
}

export type RequestFunction = (
  method: Method,
  url: string,
  options?: RequestOptions,
) => Promise<LightMyRequestResponse>;

/** Sends requests to the server with the account's token, or without one for null. */
export function requestAs(
  { app }: { app: App },
  account: Pick<Account, 'token'> | null,
): RequestFunction {
  return (method, url, { payload, key, ifMatch, ifNoneMatch, headers = {} } = {}) =>
    app.inject({
      method,
      url,
      headers: {
        ...(account && bearer(account)),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
        ...headers,
      },
      ...(payload !== undefined && { payload }),
    });
}
