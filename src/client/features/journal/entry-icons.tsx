import {
  AlarmClock,
  Cpu,
  DropletOff,
  Droplets,
  Flower2,
  History,
  type LucideIcon,
  Scissors,
  Sprout,
  StickyNote,
} from 'lucide-react';
import type { EntryType, JournalEntry } from '#domain/journal/entry.ts';

const icons: Readonly<Record<string, LucideIcon>> = {
  watered: Droplets,
  fertilized: Sprout,
  repotted: Flower2,
  pruned: Scissors,
  note: StickyNote,
  snoozed: AlarmClock,
  not_watered: DropletOff,
} satisfies Record<EntryType, LucideIcon>;

/** The icon of an entry. An entry of an unknown type, from a newer server, has a general icon. */
export function EntryIcon({ type, source }: Pick<JournalEntry, 'type' | 'source'>) {
  const Icon = type === 'watered' && source === 'auto' ? Cpu : (icons[type] ?? History);
  return <Icon aria-hidden size={18} />;
}
