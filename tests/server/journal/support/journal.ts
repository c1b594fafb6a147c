import { randomUUID } from 'node:crypto';
import type { PlantJournal } from '#contract/journal.ts';
import type { EntryEdit, JournalEntry, NewEntry } from '#domain/journal/entry.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { type RequestOptions, requestAs } from '../../../support/server/request.ts';
import { type Account, addPlant, type TestServer } from '../../../support/server/server.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

/** A plant that is due every 3 days, and its journal. `add` takes the time `at` in ms from now. */
export async function openJournal(server: TestServer, owner?: Account) {
  const account = owner ?? (await server.addAccount());
  const plant = await addPlant(server, account, { watering_frequency: 3 });
  const request = requestAs(server, account);
  const url = `/api/plants/${plant.id}/journal`;
  const inMs = (ms: number) => new Date(server.clock().getTime() + ms).toISOString();
  const add = (
    { at = 0, ...entry }: Partial<Omit<NewEntry, 'at'>> & { at?: number },
    options: RequestOptions = {},
  ) => {
    const payload = { id: randomUUID(), type: 'watered', ...entry, at: inMs(at) };
    return request('POST', url, { payload, ...options });
  };
  return {
    account,
    plant,
    request,
    url,
    inMs,
    add,
    /** Adds an entry and resolves to it as stored. */
    added: async (entry: Parameters<typeof add>[0]): Promise<JournalEntry> =>
      (await add(entry)).json().journal_entry,
    edit: (
      { id, at, note, amount_ml }: JournalEntry,
      changes: Partial<EntryEdit> = {},
      options: RequestOptions = {},
    ) =>
      request('PUT', `${url}/${id}`, { payload: { at, note, amount_ml, ...changes }, ...options }),
    remove: ({ id }: Pick<JournalEntry, 'id'>, options: RequestOptions = {}) =>
      request('DELETE', `${url}/${id}`, options),
    read: async (query = ''): Promise<PlantJournal> => (await request('GET', url + query)).json(),
    record: async (): Promise<PlantRecord> =>
      (await request('GET', `/api/plants/${plant.id}`)).json(),
  };
}
