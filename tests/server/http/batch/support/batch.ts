import type { LightMyRequestResponse } from 'fastify';
import type { BatchOperation, BatchResponse, BatchResult } from '#contract/batch.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { plantPayload } from '../../../../support/factories.ts';
import { type Account, bearer, type TestServer } from '../../../../support/server/server.ts';

export function sendBatch(
  { app }: Pick<TestServer, 'app'>,
  account: Pick<Account, 'token'>,
  operations: unknown,
): Promise<LightMyRequestResponse> {
  return app.inject({
    method: 'POST',
    url: '/api/batch',
    headers: bearer(account),
    payload: { operations },
  });
}

/** The results of a batch that is answered with 200. */
export async function resultsOf(
  server: Pick<TestServer, 'app'>,
  account: Pick<Account, 'token'>,
  operations: readonly BatchOperation[],
): Promise<(BatchResult & { body: PlantRecord & { code?: string } })[]> {
  const response = await sendBatch(server, account, operations);
  if (response.statusCode !== 200) throw new Error(`no batch: ${response.body}`);
  return response.json<BatchResponse & { results: (BatchResult & { body: PlantRecord })[] }>()
    .results;
}

export function create(key: string, nickname: string): BatchOperation {
  return { key, method: 'POST', path: '/api/plants', body: plantPayload({ nickname }) };
}

export function edit(key: string, id: string, nickname: string, etag?: string): BatchOperation {
  const body = plantPayload({ nickname });
  return { key, method: 'PUT', path: `/api/plants/${id}`, if_match: etag, body };
}

export function water(key: string, id: string, amount = 100): BatchOperation {
  return { key, method: 'POST', path: `/api/plants/${id}/water?amount=${amount}` };
}

export function remove(key: string, id: string): BatchOperation {
  return { key, method: 'DELETE', path: `/api/plants/${id}` };
}
