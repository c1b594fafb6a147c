import type { CDPSession } from 'playwright';

/** A heap snapshot as Chromium writes it: `nodes` contains, for each node, one number for each of `node_fields`. */
interface Snapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } };
  nodes: number[];
}

/**
 * Bytes in use after garbage collection: objects of the page, and separately what V8 has compiled from its scripts
 * (bytecode, machine code and their metadata).
 */
export async function heapOf(cdp: CDPSession): Promise<{ held: number; code: number }> {
  // Objects that the first pass finalises are collected by the second.
  await cdp.send('HeapProfiler.collectGarbage');
  await cdp.send('HeapProfiler.collectGarbage');
  const { snapshot, nodes } = await takeSnapshot(cdp);
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [typeAt, sizeAt] = [fields.indexOf('type'), fields.indexOf('self_size')];
  const bytes = { held: 0, code: 0 };
  for (let node = 0; node < nodes.length; node += fields.length) {
    const isCode = types[0][nodes[node + typeAt] ?? -1] === 'code';
    bytes[isCode ? 'code' : 'held'] += nodes[node + sizeAt] ?? 0;
  }
  return bytes;
}

async function takeSnapshot(cdp: CDPSession): Promise<Snapshot> {
  const chunks: string[] = [];
  const keep = ({ chunk }: { chunk: string }) => void chunks.push(chunk);
  cdp.on('HeapProfiler.addHeapSnapshotChunk', keep);
  await cdp.send('HeapProfiler.takeHeapSnapshot', {});
  cdp.off('HeapProfiler.addHeapSnapshotChunk', keep);
  return JSON.parse(chunks.join(''));
}
