import { Droplets } from 'lucide-react';
import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { isStillQueued, waitForAnswer } from '#client/store/outbox/op-answer.ts';
import { addWatering } from '#client/store/outbox/waterings.ts';
import { announce } from '#client/ui/feedback/live-region.tsx';
import { useFocusAfterBusy } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import type { PlantView } from '../plant-view.ts';
import { answerWithinMs, useIsWatering } from './use-is-watering.ts';

/**
 * Records a watering. Every button of the plant is busy until the server's first answer or for ten seconds; offline
 * not at all.
 */
export function WaterNow({ view: { plant, watering } }: { view: PlantView }) {
  const { id: plantKey, nickname } = plant;
  const db = useDb();
  // Bridges the moment until the queue has the tap: a second one must not become a second watering.
  const [isTapped, setTapped] = useState(false);
  const isWatering = useIsWatering(watering) || isTapped;
  const failure = `Failed to water plant with ID ${plantKey}`;
  async function water(): Promise<void> {
    setTapped(true);
    try {
      const opId = await addWatering(db, plantKey, Date.now());
      const outcome = await waitForAnswer(db, opId, answerWithinMs);
      if (outcome.type === 'refused') console.warn(outcome.message || failure);
      if (outcome.type === 'done') announce(`${nickname} watered`);
      else if (await isStillQueued(db, opId)) announce(`${nickname} watered, waiting to be sent`);
    } catch (error) {
      console.warn(failure, error);
    } finally {
      setTapped(false);
    }
  }
  return (
    <Button
      ref={useFocusAfterBusy(isWatering)}
      look="water"
      aria-label={isWatering ? undefined : `Water Now: ${nickname}`}
      busyText={isWatering ? 'Watering...' : null}
      onClick={() => void water()}
    >
      <Droplets aria-hidden size={18} /> Water Now
    </Button>
  );
}
