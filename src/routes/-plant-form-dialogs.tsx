import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { DeletePlantDialog } from '#features/plants/delete-plant-dialog.tsx';
import { PlantFormSheet } from '#features/plants/plant-form-sheet.tsx';
import type { DashboardSearch } from './-dashboard-search.ts';
import type { PlantFormSearch } from './-open-plant-form.ts';
import { useLeave } from './-use-leave.ts';

export function PlantFormDialogs({ search }: { search: PlantFormSearch }) {
  const close = useLeave(withoutForm);
  const navigate = useNavigate();
  // Its own dialog says why a plant is not there.
  const sayMissing = useCallback(
    (plant: string) =>
      void navigate({ to: '.', search: { plant }, replace: true, resetScroll: false }),
    [navigate],
  );
  const { form, delete: doomed } = search;
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

function withoutForm({ form: _, delete: __, ...rest }: DashboardSearch): DashboardSearch {
  return rest;
}
