import type http from 'node:http';
import { json } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';

interface Doc {
  id: string;
}

interface Pushed {
  newDocumentState: Doc;
  assumedMasterState?: Doc;
}

interface PullRequest {
  checkpoint?: { seq: number };
  limit: number;
}

/**
 * A minimal server for RxDB's HTTP replication: it numbers each accepted write, and a pull returns the documents
 * written after the number in its checkpoint.
 */
export function rxListener(): http.RequestListener {
  const docs = new Map<string, { seq: number; doc: Doc }>();
  let seq = 0;
  const push = (rows: Pushed[]) =>
    rows.flatMap(({ newDocumentState, assumedMasterState }) => {
      const known = docs.get(newDocumentState.id)?.doc;
      if (known && !isDeepStrictEqual(known, assumedMasterState)) return [known];
      seq += 1;
      docs.set(newDocumentState.id, { seq, doc: newDocumentState });
      return [];
    });
  const pull = ({ checkpoint, limit }: PullRequest) => {
    const since = checkpoint?.seq ?? 0;
    const found = [...docs.values()]
      .filter((one) => one.seq > since)
      .sort((a, b) => a.seq - b.seq)
      .slice(0, limit);
    return {
      documents: found.map(({ doc }) => doc),
      checkpoint: { seq: found.at(-1)?.seq ?? since },
    };
  };
  return async (request, response) => {
    const body = await json(request);
    const result = request.url === '/db/push' ? push(body as Pushed[]) : pull(body as PullRequest);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(result));
  };
}
