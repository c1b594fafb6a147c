import { useObservable } from 'dexie-react-hooks';
import { Droplets } from 'lucide-react';
import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import type { Op } from '#client/store/outbox/op.ts';
import { answerWithinMs, isAwaitingAnswer } from '#client/store/outbox/op-answer.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { watchConnectivity } from '#client/store/sync-status.ts';
import { Button } from '#client/ui/form/button.tsx';
import { shieldSecondTap } from '#client/ui/overlay/second-tap.ts';
import { useHasPassed } from '#client/ui/use-now.ts';
import type { PlantView } from '../plant-view.ts';
import { submitChange } from '../submit-change.ts';

/**
 * Records a watering. Until the server's first answer, but at most ten seconds, the plant's Water Now buttons are busy
 * in every browser tab. Offline they are not, because no answer can be expected.
 */
export function WaterNow({ view: { plant, wateringOp } }: { view: PlantView }) {
  const db = useDb();
  // A second tap, before the first one is in the outbox, must not become a second watering.
  const [isTapped, setTapped] = useState(false);
  const isAwaiting = useIsAwaitingAnswer(wateringOp);
  const isBusy = isTapped || isAwaiting;
  const { id, nickname } = plant;

  async function water(): Promise<void> {
    setTapped(true);
    await submitChange(db, () => addWatering(db, id, Date.now()), {
      done: `${nickname} watered`,
      failed: `Failed to water plant with ID ${id}`,
    });
    setTapped(false);
  }

  return (
    <Button
      look="water"
      data-control="water"
      aria-label={isBusy ? undefined : `Water Now: ${nickname}`}
      busyText={isBusy ? 'Watering...' : null}
      onClick={(event) => {
        // The plant may move in the list. A second tap at this place would then press another plant's button.
        shieldSecondTap(event);
        void water();
      }}
    >
      <Droplets aria-hidden size={18} /> Water Now
    </Button>
  );
}

function useIsAwaitingAnswer(op: Op | null): boolean {
  const db = useDb();
  const connectivity = useObservable(() => watchConnectivity(db), [db]);
  const isTooLate = useHasPassed((op?.occurredAt ?? 0) + answerWithinMs);
  return op !== null && !isTooLate && isAwaitingAnswer(op, connectivity ?? 'unknown');
}
