import { dayMs, minuteMs } from '../time.ts';

/** The ranges of long charts; each ends now. */
export const rangeNames = ['24h', '7d', '30d', '1y'] as const;
export type RangeName = (typeof rangeNames)[number];

interface RangeFacts {
  /** The text of its button. */
  short: string;
  /** The text for screen readers. */
  long: string;
  heading: string;
  lengthMs: number;
  /**
   * After a series was fetched, a screen requests it again within this time (ms) only if the plant was watered. A person
   * can request it at any time.
   */
  freshMs: number;
}

export const ranges: Readonly<Record<RangeName, RangeFacts>> = {
  '24h': {
    short: '24 h',
    long: '24 hours',
    heading: 'Last 24 Hours',
    lengthMs: dayMs,
    freshMs: minuteMs,
  },
  '7d': {
    short: '7 d',
    long: '7 days',
    heading: 'Last 7 Days',
    lengthMs: 7 * dayMs,
    freshMs: 5 * minuteMs,
  },
  '30d': {
    short: '30 d',
    long: '30 days',
    heading: 'Last 30 Days',
    lengthMs: 30 * dayMs,
    freshMs: 15 * minuteMs,
  },
  '1y': {
    short: '1 y',
    long: '1 year',
    heading: 'Last Year',
    lengthMs: 365 * dayMs,
    freshMs: 60 * minuteMs,
  },
};
