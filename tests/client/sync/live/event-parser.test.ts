import { expect, test } from 'vitest';
import { createEventParser } from '#client/sync/live/event-parser.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

function eventsOf(chunks: readonly Uint8Array[]): string[] {
  const events: string[] = [];
  const parse = createEventParser((type) => events.push(type));
  for (const chunk of chunks) parse(chunk);
  return events;
}

const stream =
  ': größer\n\nevent: open\ndata: {}\n\n:\n\nid: 7\nevent:change\ndata\n\ndata: {}\n\n';
const events = ['open', 'change', 'message'];

test.each([
  ['LF', '\n'],
  ['CRLF', '\r\n'],
  ['CR', '\r'],
])('events are the same with %s, wherever the chunks are split', (_, lineEnd) => {
  const whole = bytes(`\uFEFF${stream.replaceAll('\n', lineEnd)}`);
  expect(eventsOf([whole])).toEqual(events);
  for (let at = 0; at <= whole.length; at += 1) {
    expect(eventsOf([whole.slice(0, at), whole.slice(at)])).toEqual(events);
  }
  expect(eventsOf([...whole].map((byte) => Uint8Array.of(byte)))).toEqual(events);
});

test('an event is reported at the empty line that ends it, and only if it has data', () => {
  expect(eventsOf([bytes('event: change\ndata: {}\n')])).toEqual([]);
  expect(eventsOf([bytes('event: change\n\n')])).toEqual([]);
  expect(eventsOf([bytes('event: change\n\ndata: {}\n\n')])).toEqual(['message']);
});

test('a line without an end is not buffered forever', () => {
  const parse = createEventParser(() => undefined);
  expect(() => {
    for (let n = 0; n < 100; n += 1) parse(bytes('x'.repeat(1_000)));
  }).toThrow('Not an event stream');
});
