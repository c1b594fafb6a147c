import { useCallback } from 'react';
import type { DashboardSearch } from '../../dashboard/dashboard-search.ts';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { DeletePlantDialog } from '../detail/delete-plant-dialog.tsx';
import { PlantFormSheet } from './plant-form-sheet.tsx';

export function PlantFormDialogs({ form, delete: doomed }: DashboardSearch) {
  const { replace, close } = useOverlay();
  // Its own dialog says why a plant is not there.
  const sayMissing = useCallback((plant: string) => replace({ plant }), [replace]);
  return (
    <>
      {form && (
        <PlantFormSheet
          key={form}
          id={form === 'new' ? null : form}
          onClose={close}
          onMissing={sayMissing}
        />
      )}
      {doomed && (
        <DeletePlantDialog key={doomed} id={doomed} onClose={close} onMissing={sayMissing} />
      )}
    </>
  );
}
