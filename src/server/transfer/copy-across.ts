import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { sourceError } from './transfer-error.ts';

/**
 * Streams the rows of a COPY … TO STDOUT into a COPY … FROM STDIN. Resolves once PostgreSQL has stored them. The
 * slower side sets the pace, so only a few packets are in memory. An error of the source becomes a sourceError.
 */
export async function copyAcross(
  from: { client: ClientBase; statement: string },
  to: { client: ClientBase; statement: string },
): Promise<void> {
  const rows = from.client.query(copyTo(from.statement));
  const target = to.client.query(copyFrom(to.statement));
  // pipeline() passes an error on to the other stream, so the side that failed is the one that reports it first.
  let failedSide: 'source' | 'target' | undefined;
  rows.once('error', () => {
    failedSide ??= 'source';
  });
  target.once('error', () => {
    failedSide ??= 'target';
  });
  try {
    await pipeline(rows, target);
  } catch (error) {
    throw failedSide === 'source' ? sourceError(error as Error) : error;
  }
}
