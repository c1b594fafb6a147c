export interface Eml {
  headers: string;
  text: string;
  html: string;
}

/** Reads an .eml file and decodes its two bodies. */
export function readEml(source: string): Eml {
  const [headers = ''] = source.split('\r\n\r\n', 1);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1] ?? '';
  const parts = source.split(`--${boundary}`).slice(1, -1);
  const body = (type: string) => {
    const part = parts.find((text) => text.includes(`Content-Type: ${type};`)) ?? '';
    const [head = '', ...rest] = part.split('\r\n\r\n');
    // The last line break belongs to the boundary.
    const encoded = rest.join('\r\n\r\n').replace(/\r\n$/, '');
    return decoded(head, encoded).replaceAll('\r\n', '\n');
  };
  return { headers, text: body('text/plain'), html: body('text/html') };
}

function decoded(head: string, body: string): string {
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
