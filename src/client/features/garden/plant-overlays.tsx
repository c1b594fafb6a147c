import { lazyRouteComponent, useSearch } from '@tanstack/react-router';
import { Suspense, useCallback } from 'react';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import { useOverlay } from '../dashboard/use-overlay.ts';
import styles from './plant-overlays.module.css';

// The dialog with its charts and the form are as much code as a screen each, and seldom the first thing needed.
const PlantDialog = lazyRouteComponent(() => import('./detail/plant-dialog.tsx'), 'PlantDialog');
const PlantFormSheet = lazyRouteComponent(
  () => import('./form/plant-form-sheet.tsx'),
  'PlantFormSheet',
);
const DeletePlantDialog = lazyRouteComponent(
  () => import('./detail/delete-plant-dialog.tsx'),
  'DeletePlantDialog',
);

/** A plant's dialogs over any dashboard screen; the address says which is open. */
export function PlantOverlays() {
  const { plant, form, delete: deleted } = useSearch({ from: '/dashboard' });
  const { replace, close } = useOverlay();
  // The plant's dialog explains why there is no such plant.
  const showMissing = useCallback((id: string) => replace({ plant: id }), [replace]);
  return (
    <>
      {plant && (
        <Suspense fallback={<OpeningDialog />}>
          <PlantDialog key={plant} id={plant} />
        </Suspense>
      )}
      <Suspense>
        {form && (
          <PlantFormSheet
            key={form}
            id={form === 'new' ? null : form}
            onClose={close}
            onMissing={showMissing}
          />
        )}
        {deleted && (
          <DeletePlantDialog key={deleted} id={deleted} onClose={close} onMissing={showMissing} />
        )}
      </Suspense>
    </>
  );
}

function OpeningDialog() {
  return (
    <div className={styles.opening}>
      <Spinner label="Loading plant..." />
    </div>
  );
}
