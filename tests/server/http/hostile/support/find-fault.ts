import type { HostileRequest } from './hostile-request.ts';
import type { RawResponse } from './raw-http.ts';

/** Signs of a stack trace, SQL, a library or a file name, which no error response may contain. */
const insides =
  /\bat \S+ \(|\n\s+at |node:|node_modules|\.[jt]s:\d|\b(select .+ from|insert into|update .+ set|delete from|where)\b|sensor_logs|idempotency_keys|mail_outbox|postgres|drizzle|valibot|fastify|FST_ERR|violates|syntax error/i;

/** Describes what is wrong with a response, or returns null. No response may contain one of the `secrets`. */
export function findFault(
  request: HostileRequest,
  response: RawResponse | null,
  secrets: readonly string[],
): string | null {
  if (response === null) return request.isLawless ? null : 'the connection was closed';
  const { status, body } = response;
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  const leaked = secrets.find((secret) => body.includes(secret));
  if (leaked !== undefined) return `the response contains a secret: ${leaked}`;
  if (status < 400) return null;
  if (insides.test(body)) return 'the response tells of the insides';
  return request.method === 'HEAD' ? null : refusalFault(response);
}

function refusalFault({ headers, body }: RawResponse): string | null {
  if (!headers.get('content-type')?.startsWith('application/json'))
    return 'a refusal that is no JSON';
  const { code, message, ...record } = JSON.parse(body) as Record<string, unknown>;
  // The current record of a plant, sent with a 412.
  if ('nickname' in record) return null;
  const isComplete = typeof code === 'string' && typeof message === 'string' && message !== '';
  return isComplete ? null : 'a refusal without code and message';
}
