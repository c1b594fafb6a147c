import ICAL from 'ical.js';
import { expect, test } from 'vitest';
import { type CalendarEvent, calendarText, escapedText, foldedLine } from '#domain/calendar/ics.ts';
import { fc } from '../../support/properties.ts';

const changedAt = Date.UTC(2026, 10, 22, 8, 30, 15, 999);
const day = Date.UTC(2026, 10, 30) / 86_400_000;
const event: CalendarEvent = {
  uid: 'due-1@sprig',
  day,
  summary: 'Water 3 plants',
  description: 'Monty\nFern',
};

function eventsIn(text: string) {
  return new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((component) => new ICAL.Event(component));
}

function octets(text: string): number {
  return Buffer.byteLength(text);
}

test('a calendar with one event is written with exactly the expected lines', () => {
  expect(calendarText({ name: 'Sprig', changedAt, events: [event] }).split('\r\n')).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Sprig//Plant care//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'NAME:Sprig',
    'X-WR-CALNAME:Sprig',
    'REFRESH-INTERVAL;VALUE=DURATION:PT6H',
    'X-PUBLISHED-TTL:PT6H',
    'BEGIN:VEVENT',
    'UID:due-1@sprig',
    'DTSTAMP:20261122T083015Z',
    'DTSTART;VALUE=DATE:20261130',
    'DTEND;VALUE=DATE:20261201',
    'SUMMARY:Water 3 plants',
    'DESCRIPTION:Monty\\nFern',
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]);
});

test('a calendar without events contains a time zone, as iCalendar requires at least one component', () => {
  const calendar = new ICAL.Component(
    ICAL.parse(calendarText({ name: 'Sprig', changedAt, events: [] })),
  );
  expect(calendar.getAllSubcomponents().map(({ name }) => name)).toEqual(['vtimezone']);
});

test.each([
  ['a;b,c\\d', 'a\\;b\\,c\\\\d'],
  ['two\nlines', 'two\\nlines'],
  ['two\r\nlines\rmore', 'two\\nlines\\nmore'],
  ['a\0b\tc\x7fd\x85e', 'a b c d e'],
  ['"quoted": yes', '"quoted": yes'],
  ['\\n', '\\\\n'],
])('%j is escaped as %j', (text, escaped) => {
  expect(escapedText(text)).toBe(escaped);
});

test.each([
  [75, 1],
  [76, 2],
  [149, 2],
  [150, 3],
])('a line of %i octets becomes %i lines', (length, count) => {
  const lines = foldedLine('x'.repeat(length)).split('\r\n');
  expect(lines).toHaveLength(count);
  expect(lines.every((line) => octets(line) <= 75)).toBe(true);
  expect(lines.join('').replaceAll(' ', '')).toBe('x'.repeat(length));
});

test.each(['é', '水', '🌵'])('a line is not split inside %j', (character) => {
  for (let before = 60; before < 80; before += 1) {
    const line = 'x'.repeat(before) + character.repeat(40);
    const lines = foldedLine(line).split('\r\n');
    expect(lines.map(octets).every((length) => length <= 75)).toBe(true);
    expect(lines.every((part) => !part.includes('\ufffd') && part.isWellFormed())).toBe(true);
    expect(lines.map((part, n) => (n === 0 ? part : part.slice(1))).join('')).toBe(line);
  }
});

test('a calendar parser reads back summaries and descriptions, with control characters as spaces, and no line exceeds 75 octets', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: fc.constantFrom('\\', ';', ',', '\n', '\r', ' ', ':', '"', 'n', '🪴') }),
  );
  fc.assert(
    fc.property(name, name, (summary, description) => {
      const text = calendarText({
        name: 'Sprig',
        changedAt,
        events: [{ ...event, summary, description }],
      });
      const sent = Buffer.from(text).toString();
      expect(sent.split('\r\n').filter((line) => octets(line) > 75 || /[\r\n]/.test(line))).toEqual(
        [],
      );
      const [read] = eventsIn(sent);
      expect([read?.summary, read?.description]).toEqual([shown(summary), shown(description)]);
    }),
  );
});

/** The text as a calendar can contain it. */
function shown(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, ' ');
}
