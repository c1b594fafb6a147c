import net from 'node:net';
import zlib from 'node:zlib';

export interface RawResponse {
  status: number;
  headers: Map<string, string>;
  body: string;
}

export interface RawRequest {
  method: string;
  bytes: Buffer;
  /** Whether the sender closes its side after the last byte. */
  hangsUp: boolean;
}

/** A server that does not respond within this time hangs. */
const timeoutMs = 15_000;

/**
 * Sends bytes unchanged, because an HTTP client would refuse to send some of them. Null: the server closed the
 * connection without a response.
 */
export function sendRaw(port: number, request: RawRequest): Promise<RawResponse | null> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1');
    let received = Buffer.alloc(0);
    const finish = (response: RawResponse | null) => {
      resolve(response);
      socket.destroy();
    };
    socket.setTimeout(timeoutMs, () => {
      reject(new Error(`no response in ${timeoutMs} ms`));
      socket.destroy();
    });
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      try {
        const response = readResponse(received, request.method);
        if (response) finish(response);
      } catch (error) {
        reject(error);
        socket.destroy();
      }
    });
    socket.on('close', () => finish(null));
    // If the response was complete before a reset, the `data` handler has already resolved the promise, and this has no
    // effect.
    socket.on('error', () => finish(null));
    socket.write(request.bytes);
    if (request.hangsUp) socket.end();
  });
}

/** The response; undefined while it is incomplete. */
function readResponse(received: Buffer, method: string): RawResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const [first = '', ...lines] = received.subarray(0, end).toString('latin1').split('\r\n');
  const status = Number(first.split(' ')[1]);
  const rest = received.subarray(end + 4);
  if (status < 200) return readResponse(rest, method);
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  // An event stream does not end by itself: its first event is read as the whole body.
  if (status === 200 && headers.get('content-type') === 'text/event-stream') {
    return rest.includes('\n\n') ? { status, headers, body: rest.toString() } : undefined;
  }
  const hasNoBody = method === 'HEAD' || status === 204 || status === 304;
  const body = hasNoBody ? Buffer.alloc(0) : readBody(rest, headers);
  return body && { status, headers, body: decode(body, headers.get('content-encoding')) };
}

function readBody(rest: Buffer, headers: Map<string, string>): Buffer | undefined {
  if (headers.get('transfer-encoding') === 'chunked') return readChunks(rest);
  const length = Number(headers.get('content-length') ?? 0);
  return rest.length >= length ? rest.subarray(0, length) : undefined;
}

function readChunks(rest: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = rest.indexOf('\r\n', at);
    if (end < 0) return undefined;
    const size = Number.parseInt(rest.subarray(at, end).toString('latin1'), 16);
    if (size === 0) return Buffer.concat(chunks);
    if (rest.length < end + 2 + size + 2) return undefined;
    chunks.push(rest.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}

function decode(body: Buffer, encoding: string | undefined): string {
  if (body.length === 0) return '';
  if (encoding === 'gzip') return zlib.gunzipSync(body).toString();
  if (encoding === 'br') return zlib.brotliDecompressSync(body).toString();
  return body.toString();
}
