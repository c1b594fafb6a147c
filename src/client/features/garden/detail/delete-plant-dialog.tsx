import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { deletePlant } from '#client/store/outbox/plant-changes.ts';
import { Button } from '#client/ui/form/button.tsx';
import { Dialog } from '#client/ui/overlay/dialog.tsx';
import { useIsMounted } from '#client/ui/use-is-mounted.ts';
import { unnamedPlant } from '#domain/plant/plant.ts';
import { plantLinkElement } from '../card/plant-link.tsx';
import { submitChange } from '../submit-change.ts';
import { useInitialPlant } from '../use-garden.ts';

/**
 * Asks before a plant is deleted, then stays busy until the server's first answer, at most ten seconds. Offline it
 * closes at once.
 */
export function DeletePlantDialog({
  id,
  onClose,
  onMissing,
}: {
  id: string;
  onClose: () => void;
  /** Called when there is no such plant. */
  onMissing: (id: string) => void;
}) {
  const db = useDb();
  const isOpen = useIsMounted();
  const plant = useInitialPlant(id, onMissing);
  const [isDeleting, setDeleting] = useState(false);
  if (!plant) return null;
  const { key, record } = plant;
  const nickname = record.nickname || unnamedPlant;

  async function remove(): Promise<void> {
    setDeleting(true);
    await submitChange(db, () => deletePlant(db, key, Date.now()), {
      done: `${nickname} deleted`,
      failed: `Failed to delete plant with ID ${key}`,
    });
    // Another dialog may be open by now, which must not be closed.
    if (isOpen()) onClose();
  }

  return (
    <Dialog
      title="Delete Plant"
      description={
        <>
          Are you sure you want to delete <bdi>{nickname}</bdi>? This action cannot be undone.
        </>
      }
      // The dialog of the plant may have been open before this one.
      focusFallback={() => plantLinkElement(key)}
      onClose={() => !isDeleting && onClose()}
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
