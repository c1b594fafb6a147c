import type { PlantFields } from '#domain/plant/fields.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import type { EntryIntent } from './journal-intents.ts';
import type { PhotoIntent } from './photo-intents.ts';

/** A change that a person made, and that the device has stored. */
export interface Intent {
  device: string;
  account: string;
  /** The plant's description. It is never edited, so it identifies the plant on devices and server. */
  label: string;
  kind: 'create' | 'update' | 'water' | 'delete' | 'journal' | 'photo';
  fields: Partial<PlantFields>;
  /** If `kind` is 'water': the id of its op, which is also that of its entry. */
  opId?: string;
  /** journal: what was done to which entry. */
  entry?: EntryIntent;
  /** If `kind` is 'photo': the action and its photo. */
  photo?: PhotoIntent;
  /** ms */
  moment: number;
}

export function labelOf(record: PlantRecord): string {
  return record.description ?? '';
}
