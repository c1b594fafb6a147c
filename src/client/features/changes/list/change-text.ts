import type { Change, Conflict } from '#client/store/outbox/changes.ts';
import type { Connectivity } from '#client/store/schema.ts';
import { fieldsInWords, valuesInWords } from '#domain/plant/fields-in-words.ts';
import { formatMoment, isSameDay } from '#domain/time.ts';

/** What the person did: 'Water Monstera'. */
export function describeChange({ type, nickname, edits }: Change): string {
  switch (type) {
    case 'create':
      return `Add ${nickname}`;
    case 'update':
      return `Edit ${nickname}: ${fieldsInWords(edits)}`;
    case 'water':
      return `Water ${nickname}`;
    case 'delete':
      return `Delete ${nickname}`;
  }
}

/** When they did it: 'tapped 9:12 AM', with the date unless it was today. */
export function changeTime({ type, occurredAt }: Change, now: number): string {
  const format = isSameDay(occurredAt, now) ? 'time' : 'dateTime';
  return `${type === 'water' ? 'tapped' : 'made'} ${formatMoment(occurredAt, format)}`;
}

/** Why a waiting change is not on the server yet. */
export function waitingReason({ waitsFor }: Change, connectivity: Connectivity): string {
  if (waitsFor === 'plant') return 'waiting for an earlier change of this plant';
  if (connectivity === 'offline') return 'waiting for network';
  if (connectivity === 'unreachable') return 'waiting for the server';
  if (waitsFor === 'answer') return 'sent, waiting for the answer';
  return waitsFor === 'retry' ? 'waiting for the next try' : 'waiting to be sent';
}

/** Why a change was rejected. */
export function rejectionReason({ state }: Change): string {
  return state === 'gone'
    ? 'could not be saved: the plant was deleted elsewhere'
    : 'could not be saved';
}

/** The title of a rejected change's notice: 'Watering of Monstera could not be saved'. */
export function rejectionTitle(change: Change): string {
  const { state, type, nickname } = change;
  const nouns = {
    create: 'New plant',
    update: 'Edit of',
    water: 'Watering of',
    delete: 'Deletion of',
  };
  const about = `${nouns[type]} ${nickname}`;
  return `${about} could not be saved${state === 'gone' ? ': it was deleted elsewhere' : ''}`;
}

/** Which field of which plant was overwritten. */
export function conflictTitle({ nickname, mine }: Conflict): string {
  return `${nickname}: ${fieldsInWords(mine)} was changed elsewhere too`;
}

/** Which value replaced which. */
export function conflictText({ mine, theirs }: Conflict): string {
  return `Yours, ${valuesInWords(mine)}, replaced ${valuesInWords(theirs)}.`;
}
