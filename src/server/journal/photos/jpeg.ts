export interface JpegSize {
  width: number;
  height: number;
}

/** The second bytes of markers. */
const marker = { startOfImage: 0xd8, endOfImage: 0xd9, startOfScan: 0xda } as const;

/**
 * The size of a JPEG in pixels; null unless the bytes are exactly one complete JPEG. Reads only the markers and does
 * not decode the image data, which may still be damaged.
 */
export function jpegSize(bytes: Buffer): JpegSize | null {
  if (bytes.length < 4 || bytes[0] !== 0xff || bytes[1] !== marker.startOfImage) return null;
  let size: JpegSize | null = null;
  let at = 2;
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const code = bytes[at + 1] ?? 0;
    if (code === 0xff) {
      // Any number of these bytes may precede a marker.
      at += 1;
      continue;
    }
    if (code === marker.endOfImage) return at + 2 === bytes.length ? size : null;
    if (hasNoSegment(code)) {
      at += 2;
      continue;
    }
    const end = segmentEnd(bytes, at);
    if (end === null) return null;
    if (isFrame(code)) {
      if (size) return null;
      size = frameSize(bytes, at, end);
      if (!size) return null;
    }
    // A scan is image data after its header.
    at = code === marker.startOfScan ? endOfScan(bytes, end) : end;
  }
  return null;
}

/**
 * The index at which the segment of the marker at `at` ends; null if its length is invalid or reaches beyond the bytes.
 */
function segmentEnd(bytes: Buffer, at: number): number | null {
  if (at + 4 > bytes.length) return null;
  const length = bytes.readUInt16BE(at + 2);
  const end = at + 2 + length;
  return length >= 2 && end <= bytes.length ? end : null;
}

/** Whether a marker within an image has no segment: RST0 to RST7 (restarts), and TEM. */
function hasNoSegment(code: number): boolean {
  return code === 0x01 || (code >= 0xd0 && code <= 0xd7);
}

/** Whether a marker starts a frame, whose header contains the size. C4, C8 and CC are other markers. */
function isFrame(code: number): boolean {
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc;
}

function frameSize(bytes: Buffer, at: number, end: number): JpegSize | null {
  if (end - at < 10) return null;
  const height = bytes.readUInt16BE(at + 5);
  const width = bytes.readUInt16BE(at + 7);
  return width > 0 && height > 0 ? { width, height } : null;
}

/** The index of the first marker after image data. Within image data, FF is followed by 00 or is part of a restart. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = start;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    if (at === -1) return bytes.length;
    const code = bytes[at + 1] ?? 0;
    if (code !== 0 && !hasNoSegment(code)) return at;
    at += 2;
  }
}
