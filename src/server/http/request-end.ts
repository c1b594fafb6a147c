import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** For each connection: the functions to call when it is closed, one for each request that has not ended. */
const waiting = new WeakMap<Socket, Set<() => void>>();

/**
 * Calls `onEnd` once: when the response is complete, or when the connection is closed. The response alone does not
 * suffice. Of pipelined requests only the first response has the socket, so the others emit no event when it is closed.
 */
export function onceEnded(
  { raw: { socket } }: FastifyRequest,
  { raw: response }: FastifyReply,
  onEnd: () => void,
): void {
  if (socket.closed) {
    onEnd();
    return;
  }
  const ends = endsOf(socket);
  const end = () => {
    if (ends.delete(end)) onEnd();
  };
  ends.add(end);
  response.once('close', end);
}

/** One listener for all requests of a connection, because Node warns of more than ten. */
function endsOf(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known) return known;
  const ends = new Set<() => void>();
  waiting.set(socket, ends);
  socket.once('close', () => {
    for (const end of ends) end();
  });
  return ends;
}
