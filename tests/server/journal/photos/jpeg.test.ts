import { expect, test } from 'vitest';
import { jpegSize } from '#server/journal/photos/jpeg.ts';
import { tinyJpeg } from '../../../support/photos/jpeg.ts';
import { fc } from '../../../support/properties.ts';

const jpeg = tinyJpeg({ width: 1600, height: 1200 });
const size = { width: 1600, height: 1200 };
const frameAt = jpeg.indexOf(Buffer.from([0xff, 0xc0]));

function changed(change: (bytes: Buffer) => void): Buffer {
  const copy = Buffer.from(jpeg);
  change(copy);
  return copy;
}

test.each([
  ['a baseline one', jpeg],
  ['a progressive one', changed((bytes) => bytes.writeUInt8(0xc2, frameAt + 1))],
  [
    'one with filling before a marker',
    Buffer.concat([jpeg.subarray(0, 2), Buffer.from([0xff]), jpeg.subarray(2)]),
  ],
])('reads the size of a JPEG: %s', (_, bytes) => {
  expect(jpegSize(bytes)).toEqual(size);
});

test.each([
  ['nothing', Buffer.alloc(0)],
  ['a PNG', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['no frame', Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(-2)])],
  ['a width of 0', changed((bytes) => bytes.writeUInt16BE(0, frameAt + 7))],
  [
    'two frames',
    Buffer.concat([
      jpeg.subarray(0, frameAt),
      jpeg.subarray(frameAt, frameAt + 13),
      jpeg.subarray(frameAt),
    ]),
  ],
  ['a segment that is longer than the file', changed((bytes) => bytes.writeUInt16BE(65_000, 4))],
  ['a page after the picture', Buffer.concat([jpeg, Buffer.from('<script>')])],
])('rejects an invalid JPEG: %s', (_, bytes) => {
  expect(jpegSize(bytes)).toBeNull();
});

test('rejects a JPEG that is truncated at any byte', () => {
  for (let length = 0; length < jpeg.length; length += 1) {
    expect(jpegSize(jpeg.subarray(0, length)), String(length)).toBeNull();
  }
});

test('property: a JPEG with random bytes inserted anywhere is either rejected or has a width above 0', () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes, fc.nat(jpeg.length), (noise, at) => {
      const mixed = Buffer.concat([jpeg.subarray(0, at), noise, jpeg.subarray(at)]);
      const found = jpegSize(mixed);
      expect(found === null || found.width > 0).toBe(true);
    }),
  );
  expect(jpegSize(Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(2_000_000, 0xff)]))).toBeNull();
});
