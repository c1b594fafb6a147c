import { crc32, deflateSync, inflateSync } from 'node:zlib';

interface Picture {
  width: number;
  height: number;
  /** Three bytes for each pixel. */
  pixels: Buffer;
}

/** The same screenshot in at most 256 colours, a third of the size. Takes what Chromium writes: 8 bits, RGB or RGBA. */
export function toSmallPng(png: Buffer): Buffer {
  const { width, height, pixels } = readPng(png);
  const palette = frequentColours(pixels);
  const nearest = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let i = 0; i < width * height; i++) {
    const colour = pixels.readUIntBE(i * 3, 3);
    const index = nearest.get(colour) ?? nearestTo(colour, palette);
    nearest.set(colour, index);
    rows[Math.floor(i / width) * (width + 1) + 1 + (i % width)] = index;
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3], 8);
  const colours = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, i) => void colours.writeUIntBE(colour, i * 3, 3));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk('IHDR', head),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function readPng(png: Buffer): Picture {
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    const type = png.toString('latin1', at + 4, at + 8);
    if (type === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const raw = unfiltered(inflateSync(Buffer.concat(parts)), width * channels, channels);
  const pixels = Buffer.alloc(width * height * 3);
  for (let i = 0; i < width * height; i++) raw.copy(pixels, i * 3, i * channels, i * channels + 3);
  return { width, height, pixels };
}

/** Undoes the filter that the first byte of each row names (PNG specification, section 9). */
function unfiltered(data: Buffer, length: number, channels: number): Buffer {
  const raw = Buffer.alloc((data.length / (length + 1)) * length);
  for (let at = 0, row = 0; at < raw.length; at += length, row++) {
    const filter = data[row * (length + 1)] ?? 0;
    for (let i = 0; i < length; i++) {
      const left = i < channels ? 0 : (raw[at + i - channels] ?? 0);
      const up = row === 0 ? 0 : (raw[at + i - length] ?? 0);
      const corner = i < channels || row === 0 ? 0 : (raw[at + i - length - channels] ?? 0);
      const guess = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter] ?? 0;
      raw[at + i] = (data[row * (length + 1) + 1 + i] ?? 0) + guess;
    }
  }
  return raw;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (a === undefined || b === undefined || c === undefined) return 0;
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

/**
 * The palette: the 96 most frequent colours, for flat areas and soft shadows, then colours that differ as much as
 * possible from all chosen ones.
 */
function frequentColours(pixels: Buffer): number[] {
  const counts = new Map<number, number>();
  for (let i = 0; i < pixels.length; i += 3) {
    const colour = pixels.readUIntBE(i, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const byCount = [...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour);
  for (let apart = 400; ; apart = Math.floor(apart / 2)) {
    const chosen = byCount.slice(0, 96);
    for (const colour of byCount.slice(96)) {
      if (chosen.length === 256) break;
      if (chosen.every((other) => distance(colour, other) > apart)) chosen.push(colour);
    }
    if (chosen.length === 256 || apart === 0) return chosen;
  }
}

function nearestTo(colour: number, palette: readonly number[]): number {
  let best = 0;
  palette.forEach((other, i) => {
    if (distance(colour, other) < distance(colour, palette[best] ?? 0)) best = i;
  });
  return best;
}

/** The squared distance of two colours. */
function distance(a: number, b: number): number {
  const [red, green, blue] = [16, 8, 0].map((shift) => ((a >> shift) & 255) - ((b >> shift) & 255));
  return (red ?? 0) ** 2 + (green ?? 0) ** 2 + (blue ?? 0) ** 2;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
