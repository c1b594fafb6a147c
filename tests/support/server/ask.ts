import type { LightMyRequestResponse } from 'fastify';
import type { App } from '#server/http/app-deps.ts';
import { type Account, bearer } from './server.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface AskOptions {
  /** A string or buffer is sent unchanged, with the content type of JSON unless `headers` has another one. */
  payload?: object | string | Buffer;
  key?: string;
  ifMatch?: string;
  ifNoneMatch?: string | undefined;
  headers?: Record<string, string>;
}

export type Ask = (
  method: Method,
  url: string,
  options?: AskOptions,
) => Promise<LightMyRequestResponse>;

/** Sends requests to the server with the account's token, or without one for null. */
export function askAs({ app }: { app: App }, account: Pick<Account, 'token'> | null): Ask {
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
