import { AlarmClock } from 'lucide-react';
import { useDb } from '#client/session/current.tsx';
import { Menu } from '#client/ui/overlay/menu.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { snoozeDays } from '#domain/journal/entry.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { daysOf, isDue } from '#domain/watering/schedule.ts';
import { snoozeAndOffer } from './change-entries.ts';

/** A menu that snoozes a due plant whose soil is still wet. Renders nothing for a plant that is not due. */
export function Snooze({ plant }: { plant: Plant }) {
  const db = useDb();
  const now = useNow();
  if (!isDue(plant.tracking.nextWateringDate, now)) return null;

  function snooze(days: number): void {
    snoozeAndOffer(db, plant, days).catch((error: unknown) => {
      console.warn(`Failed to snooze plant with ID ${plant.id}`, error);
    });
  }

  return (
    <Menu
      data-control="snooze"
      label={`Soil is still wet: ${plant.nickname}`}
      icon={<AlarmClock aria-hidden size={18} />}
      text="Soil is still wet"
      items={snoozeDays.map((days) => ({
        label: `Ask again in ${daysOf(days)}`,
        icon: null,
        onSelect: () => snooze(days),
      }))}
    />
  );
}
