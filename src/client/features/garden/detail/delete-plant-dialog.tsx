import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { isStillQueued, waitForAnswer } from '#client/store/outbox/op-answer.ts';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { announce } from '#client/ui/feedback/live-region.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Dialog } from '#client/ui/overlay/dialog.tsx';
import { unnamedPlant } from '#domain/plant/plant.ts';
import { usePlantSnapshot } from '../use-plants.ts';

const answerWithinMs = 10_000;

/** Asks before a plant is deleted; busy until the server's first answer or for ten seconds, offline not at all. */
export function DeletePlantDialog({
  id,
  onClose,
  onMissing,
}: {
  id: string;
  onClose: () => void;
  /** There is no such plant. */
  onMissing: (id: string) => void;
}) {
  const db = useDb();
  const plant = usePlantSnapshot(id, onMissing);
  const [isDeleting, setDeleting] = useState(false);
  if (!plant) return null;
  const { key, record } = plant;
  const nickname = record.nickname || unnamedPlant;
  const failure = `Failed to delete plant with ID ${key}`;

  async function remove(): Promise<void> {
    setDeleting(true);
    try {
      const opId = await deletePlant(db, key, Date.now());
      const outcome = await waitForAnswer(db, opId, answerWithinMs);
      if (outcome.type === 'refused') console.warn(outcome.message || failure);
      if (outcome.type === 'done') announce(`${nickname} deleted`);
      else if (await isStillQueued(db, opId)) announce(`${nickname} deleted, waiting to be sent`);
    } catch (error) {
      console.warn(failure, error);
    }
    onClose();
  }

  return (
    <Dialog
      title="Delete Plant"
      description={
        <>
          Are you sure you want to delete <bdi>{nickname}</bdi>? This action cannot be undone.
        </>
      }
      onClose={onClose}
    >
      <Button look="quiet" onClick={onClose} disabled={isDeleting}>
        Cancel
      </Button>
      <Button
        look="danger"
        busyText={isDeleting ? 'Processing...' : null}
        onClick={() => void remove()}
      >
        Delete Plant
      </Button>
    </Dialog>
  );
}
