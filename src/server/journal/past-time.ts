import type { ErrorDetail } from '#contract/errors.ts';
import { dayMs, minuteMs } from '#domain/time.ts';
import { invalid } from '../http/api-error.ts';

/**
 * A time that is ahead by at most this is accepted and replaced by the present time: the client's clock may be fast.
 */
export const maxClockLeadMs = 5 * minuteMs;

/**
 * The time in a request at which something was done or a plant was added. Throws a 422 if it is in the future or too far
 * back.
 */
export function pastTimeOf(
  text: string,
  { loc, backDays }: { loc: ErrorDetail['loc']; backDays: number },
  now: Date,
): Date {
  const moment = Date.parse(text);
  const ahead = moment - now.getTime();
  if (ahead > maxClockLeadMs) throw invalid(loc, 'is in the future');
  if (ahead < -backDays * dayMs) throw invalid(loc, `is more than ${backDays} days back`);
  return new Date(Math.min(moment, now.getTime()));
}
