/**
 * A JPEG with the structure of a real one and no picture: header, tables, frame, and one scan that contains a restart
 * marker and an escaped 0xFF byte.
 */
export function tinyJpeg({ width = 40, height = 30, extra = 0 } = {}): Buffer {
  const bytes = (...parts: (number | Buffer)[]) =>
    Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part)));
  const segment = (code: number, content: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length + 2);
    return bytes(0xff, code, length, content);
  };
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  const data = Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]);
  return bytes(
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01\0\0\x01\0\x01\0\0', 'latin1')),
    segment(0xdb, Buffer.alloc(65)),
    segment(0xc0, frame),
    segment(0xc4, Buffer.alloc(20)),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    data,
    Buffer.alloc(extra, 1),
    Buffer.from([0xff, 0xd9]),
  );
}

/** A multipart/form-data body and its headers. */
export async function formOf(
  parts: Readonly<Record<string, Buffer | string>>,
): Promise<{ payload: Buffer; headers: { 'content-type': string } }> {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.set(name, part);
    else form.set(name, new Blob([new Uint8Array(part)], { type: 'image/jpeg' }), `${name}.jpg`);
  }
  const response = new Response(form);
  return {
    payload: Buffer.from(await response.arrayBuffer()),
    headers: { 'content-type': String(response.headers.get('content-type')) },
  };
}
