import { useState } from 'react';
import { useDb } from '#client/session/current.tsx';
import { addWaterings } from '#client/store/outbox/waterings.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { Dialog } from '#client/ui/overlay/dialog.tsx';

/** Asks before a watering of many plants is recorded. */
export function WaterAllDialog({
  plantKeys,
  onClose,
}: {
  plantKeys: readonly string[];
  onClose: () => void;
}) {
  const db = useDb();
  const [isBusy, setBusy] = useState(false);
  const count = plantKeys.length;

  async function water(): Promise<void> {
    setBusy(true);
    try {
      const undoable = await addWaterings(db, plantKeys, Date.now());
      announce(`${count} plants watered${undoText(undoable, count)}`);
    } catch (error) {
      // The storage problem has a notice of its own.
      console.warn(`Failed to water ${count} plants`, error);
    }
    onClose();
  }

  return (
    <Dialog
      title="Water All"
      description={`Record that you have just watered ${count} plants? You can undo it for ten seconds.`}
      closesOnBack
      onClose={() => !isBusy && onClose()}
    >
      <Button look="quiet" onClick={onClose} disabled={isBusy}>
        Cancel
      </Button>
      <Button look="water" busyText={isBusy ? 'Watering...' : null} onClick={() => void water()}>
        Water {count} Plants
      </Button>
    </Dialog>
  );
}

/** A watering that was already waiting to be sent cannot be undone. */
function undoText(undoable: number, count: number): string {
  if (undoable === 0) return '';
  return `, with ten seconds to undo ${undoable === count ? 'it' : `${undoable} of them`}`;
}
