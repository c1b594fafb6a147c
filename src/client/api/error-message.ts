import type { ApiResponse } from './send.ts';

/** The message for a failed call, taken from the first field of the body that has one, in the spec's order. */
export function errorMessage(
  { status, body }: Pick<ApiResponse, 'status' | 'body'>,
  callName: string,
): string {
  if (body === undefined || body === null) return `${callName} failed with status ${status}`;
  if (Array.isArray(body)) return body.map(asText).join(', ');
  if (typeof body !== 'object') return String(body);
  const fields = body as Record<string, unknown>;
  const text = [fields.message, fields.detail, fields.error, fields.error_description].find(
    (value) => value !== undefined && value !== null && value !== '',
  );
  if (text === undefined) return JSON.stringify(body);
  return Array.isArray(text) ? text.map(asText).join(', ') : asText(text);
}

/** A validation error becomes 'field: message'; any other value is shown as it is. */
function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  const { loc, msg } = (value ?? {}) as { loc?: unknown; msg?: unknown };
  if (typeof msg !== 'string') return JSON.stringify(value);
  const place = Array.isArray(loc) ? loc.at(-1) : undefined;
  return place === undefined ? msg : `${String(place)}: ${msg}`;
}
