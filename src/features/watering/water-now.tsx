import { Droplets } from 'lucide-react';
import { useState } from 'react';
import { waitForOutcome } from '#data/outcome.ts';
import { addWatering } from '#data/waterings.ts';
import { useDb } from '#session/current.tsx';
import { Button } from '#ui/button.tsx';
import { announce } from '#ui/live-region.tsx';

const answerWithinMs = 10_000;

/** Records a watering. Busy until the server's first answer or for ten seconds; offline not at all. */
export function WaterNow({ plantKey, nickname }: { plantKey: string; nickname: string }) {
  const db = useDb();
  const [isWatering, setWatering] = useState(false);
  async function water(): Promise<void> {
    setWatering(true);
    try {
      const opId = await addWatering(db, plantKey, Date.now());
      const outcome = await waitForOutcome(db, opId, answerWithinMs);
      if (outcome.is === 'refused') console.warn(outcome.message);
      else announce(`${nickname} watered${outcome.is === 'waiting' ? ', waiting to be sent' : ''}`);
    } catch (error) {
      console.warn(`Failed to water plant with ID ${plantKey}`, error);
    } finally {
      setWatering(false);
    }
  }
  return (
    <Button
      look="water"
      aria-label={isWatering ? undefined : `Water Now: ${nickname}`}
      busyText={isWatering ? 'Watering...' : null}
      onClick={() => void water()}
    >
      <Droplets aria-hidden size={18} /> Water Now
    </Button>
  );
}
