import type { ApiResponse } from './send.ts';

/** The message of a refused call: the body's own words, chosen in the order of spec section 8. */
export function errorMessage(
  answer: Pick<ApiResponse, 'status' | 'body'>,
  callName: string,
): string {
  const { body, status } = answer;
  if (body === undefined || body === null) return `${callName} failed with status ${status}`;
  if (Array.isArray(body)) return body.map(asText).join(', ');
  if (typeof body !== 'object') return String(body);
  const fields = body as Record<string, unknown>;
  const said = [fields.message, fields.detail, fields.error, fields.error_description].find(
    (value) => value !== undefined && value !== null && value !== '',
  );
  if (said === undefined) return JSON.stringify(body);
  return Array.isArray(said) ? said.map(asText).join(', ') : asText(said);
}

/** A validation item reads as its place and its complaint; anything else as it is. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { loc, msg } = (value ?? {}) as { loc?: unknown; msg?: unknown };
  if (typeof msg !== 'string') return JSON.stringify(value);
  const place = Array.isArray(loc) ? loc.at(-1) : undefined;
  return place === undefined ? msg : `${String(place)}: ${msg}`;
}
