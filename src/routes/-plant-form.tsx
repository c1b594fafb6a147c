import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useClosePlantForm } from './-plant-form-search.ts';

// Seldom needed, and a third of the screen's code.
const PlantFormSheet = lazy(async () => ({
  default: (await import('#features/plants/plant-form-sheet.tsx')).PlantFormSheet,
}));
const DeletePlantDialog = lazy(async () => ({
  default: (await import('#features/plants/delete-plant-dialog.tsx')).DeletePlantDialog,
}));

/** The wizard and the delete confirmation of whatever dashboard screen, as the address says. */
export function PlantForm() {
  const search = useSearch({ from: '/dashboard' });
  const close = useClosePlantForm();
  return (
    <Suspense>
      {search.form && (
        <PlantFormSheet
          key={search.form}
          id={search.form === 'new' ? null : search.form}
          onClose={close}
        />
      )}
      {search.delete && (
        <DeletePlantDialog key={search.delete} id={search.delete} onClose={close} />
      )}
    </Suspense>
  );
}
