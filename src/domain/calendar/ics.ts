import { dayMs } from '../time.ts';

/** An all-day event. */
export interface CalendarEvent {
  /** Identifies the event in all versions of the calendar. */
  uid: string;
  /** Days since Jan 1, 1970. */
  day: number;
  summary: string;
  description: string;
}

interface Calendar {
  name: string;
  /**
   * When its data last changed, ms. Must not be the present time, or every poll would look like a change of every
   * event.
   */
  changedAt: number;
  events: readonly CalendarEvent[];
}

/** Maximum octets of a line without its line break (RFC 5545, section 3.1). */
const maxLineOctets = 75;

/** A calendar in the iCalendar format, text/calendar. The same arguments give the same text. */
export function calendarText({ name, changedAt, events }: Calendar): string {
  const stamp = `${new Date(changedAt).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sprig//Plant care//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    `NAME:${escapedText(name)}`,
    `X-WR-CALNAME:${escapedText(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    ...(events.length === 0 ? utcZone : events.flatMap((event) => eventLines(event, stamp))),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${foldedLine(line)}\r\n`).join('');
}

/** For a calendar without events, because a calendar must contain at least one component. */
const utcZone = [
  'BEGIN:VTIMEZONE',
  'TZID:UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
];

function eventLines({ uid, day, summary, description }: CalendarEvent, stamp: string): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${uid}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${dateText(day)}`,
    `DTEND;VALUE=DATE:${dateText(day + 1)}`,
    `SUMMARY:${escapedText(summary)}`,
    `DESCRIPTION:${escapedText(description)}`,
    // Otherwise calendar apps show the person as busy all day.
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ];
}

function dateText(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10).replaceAll('-', '');
}

/** Escapes a value of type TEXT. Line breaks become `\n`, and every other control character becomes a space. */
export function escapedText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n?|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, ' ');
}

/**
 * Splits a line into lines of at most 75 octets, all but the first of which begin with a space. Never splits a
 * character.
 */
export function foldedLine(line: string): string {
  const lines: string[] = [];
  let current = '';
  let octets = 0;
  for (const character of line) {
    const more = octetsOf(character);
    if (octets + more > maxLineOctets) {
      lines.push(current);
      current = ' ';
      octets = 1;
    }
    current += character;
    octets += more;
  }
  return [...lines, current].join('\r\n');
}

/** The length of a character in UTF-8. A lone surrogate is encoded as U+FFFD, which has three octets as well. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
