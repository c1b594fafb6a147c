import type { Change, Conflict } from '#client/store/outbox/changes.ts';
import type { Connectivity } from '#client/store/schema.ts';
import { formatMoment, isSameDay } from '#domain/dates.ts';
import { entryTitle } from '#domain/journal/words.ts';
import { fieldsInWords, valuesInWords } from '#domain/plant/fields-in-words.ts';
import type { TimeZone } from '#domain/zone.ts';

/** What the person did: 'Water Monstera'. */
export function describeChange({ type, nickname, edits, entry }: Change): string {
  const title = entry ? entryTitle(entry) : 'Entry';
  switch (type) {
    case 'create':
      return `Add ${nickname}`;
    case 'update':
      return `Edit ${nickname}: ${fieldsInWords(edits)}`;
    case 'water':
      return `Water ${nickname}`;
    case 'delete':
      return `Delete ${nickname}`;
    case 'add_entry':
      return `Add to history of ${nickname}: ${title}`;
    case 'edit_entry':
      return `Edit in history of ${nickname}: ${title}`;
    case 'remove_entry':
      return `Delete from history of ${nickname}: ${title}`;
    case 'add_photo':
      return `Add photo of ${nickname}`;
    case 'remove_photo':
      return `Delete photo of ${nickname}`;
  }
}

/** When the person made the change: 'tapped 9:12 AM', with the date unless it was today. */
export function changeTime({ type, occurredAt }: Change, now: number, zone: TimeZone): string {
  const format = isSameDay(occurredAt, now, zone) ? 'time' : 'dateTime';
  return `${type === 'water' ? 'tapped' : 'made'} ${formatMoment(occurredAt, format, zone)}`;
}

/** Why a waiting change is not on the server yet. `percent`: how much of a photo has been sent. */
export function waitingReason(
  { waitsFor }: Change,
  connectivity: Connectivity,
  percent: number | null = null,
): string {
  if (waitsFor === 'plant') return 'waiting for an earlier change of this plant';
  if (connectivity === 'offline') return 'waiting for network';
  if (percent !== null && percent < 100) return `waiting, ${percent} % sent`;
  if (connectivity === 'unreachable') return 'waiting for the server';
  if (waitsFor === 'response') return 'sent, waiting for the answer';
  return waitsFor === 'retry' ? 'waiting for the next try' : 'waiting to be sent';
}

/** Says that a change was rejected, and why if its plant or entry was deleted. */
export function rejectionReason({ state }: Change): string {
  if (state === 'gone') return 'could not be saved: the plant was deleted elsewhere';
  if (state === 'entry-gone') return 'could not be saved: the entry was deleted elsewhere';
  return 'could not be saved';
}

/** The title of a rejected change's notice: 'Watering of Monstera could not be saved'. */
export function rejectionTitle(change: Change): string {
  const { state, type, nickname } = change;
  const nouns: Record<Change['type'], string> = {
    create: 'New plant',
    update: 'Edit of',
    water: 'Watering of',
    delete: 'Deletion of',
    add_entry: 'New entry of',
    edit_entry: 'Edited entry of',
    remove_entry: 'Deleted entry of',
    add_photo: 'New photo of',
    remove_photo: 'Deleted photo of',
  };
  const about = `${nouns[type]} ${nickname}`;
  const isGone = state === 'gone' || state === 'entry-gone';
  return `${about} could not be saved${isGone ? ': it was deleted elsewhere' : ''}`;
}

/** The field and the plant in which a value was overwritten. */
export function conflictTitle({ nickname, mine }: Conflict): string {
  return `${nickname}: ${fieldsInWords(mine)} changed elsewhere too`;
}

/** The two values: 'Yours, Attic, replaced Cellar.' Without the values if they have no words. */
export function conflictText({ mine, theirs }: Conflict): string {
  const [own, other] = [valuesInWords(mine), valuesInWords(theirs)];
  return own !== null && other !== null
    ? `Yours, ${own}, replaced ${other}.`
    : 'Yours replaced the other one.';
}
