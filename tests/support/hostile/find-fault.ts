import type { HostileRequest } from './hostile-request.ts';
import type { RawAnswer } from './raw-http.ts';

/** A stack, a statement, a driver's or a file's name: nothing that an answer has to do with. */
const insides =
  /\bat \S+ \(|\n\s+at |node:|node_modules|\.[jt]s:\d|\b(select .+ from|insert into|update .+ set|delete from|where)\b|sensor_logs|idempotency_keys|mail_outbox|postgres|drizzle|valibot|fastify|FST_ERR|violates|syntax error/i;

/** What is wrong with an answer; null when nothing is. `secrets` may be in no answer at all. */
export function findFault(
  request: HostileRequest,
  answer: RawAnswer | null,
  secrets: readonly string[],
): string | null {
  if (answer === null) return request.isLawless ? null : 'the connection was closed';
  const { status, body } = answer;
  if (!(status >= 200 && status < 500)) return `status ${status}`;
  const told = secrets.find((secret) => body.includes(secret));
  if (told !== undefined) return `the answer tells a secret: ${told}`;
  if (status < 400) return null;
  if (insides.test(body)) return 'the answer tells of the insides';
  return request.method === 'HEAD' ? null : refusalFault(answer);
}

function refusalFault({ headers, body }: RawAnswer): string | null {
  if (!headers.get('content-type')?.startsWith('application/json'))
    return 'a refusal that is no JSON';
  const { code, message, ...record } = JSON.parse(body) as Record<string, unknown>;
  // The current record of a plant that was changed meanwhile.
  if ('nickname' in record) return null;
  const isWhole = typeof code === 'string' && typeof message === 'string' && message !== '';
  return isWhole ? null : 'a refusal without code and message';
}
