import { useCallback } from 'react';
import { DeletePlantDialog } from '#features/plants/delete-plant-dialog.tsx';
import { PlantFormSheet } from '#features/plants/plant-form-sheet.tsx';
import type { DashboardSearch } from './-dashboard-search.ts';
import { useOverScreen } from './-over-screen.ts';

export function PlantFormDialogs({ form, delete: doomed }: DashboardSearch) {
  const { replace, close } = useOverScreen();
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
