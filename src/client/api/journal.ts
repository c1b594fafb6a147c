import {
  type JournalQuery,
  journalRequest,
  journalsRequest,
  journalsResponseSchema,
  type PlantJournal,
  plantJournalSchema,
} from '#contract/journal.ts';
import type { WireId } from '#domain/plant/plant.ts';
import { sendRequest } from './http.ts';
import type { RequestOptions } from './send.ts';

/** A page of a plant's journal, newest first. Throws ApiError. */
export function fetchJournal(
  id: WireId,
  query: JournalQuery,
  call: RequestOptions,
): Promise<PlantJournal> {
  return sendRequest(journalRequest(id, query), call, plantJournalSchema, {
    fallback: `Failed to fetch history for plant with ID ${id}`,
  });
}

/** The newest entries of several plants, by plant id. Throws ApiError. */
export async function fetchJournals(
  ids: readonly string[],
  call: RequestOptions,
): Promise<ReadonlyMap<string, PlantJournal>> {
  const texts = { fallback: 'Failed to fetch the history of plants' };
  const { journals } = await sendRequest(journalsRequest(ids), call, journalsResponseSchema, texts);
  return new Map(Object.entries(journals));
}
