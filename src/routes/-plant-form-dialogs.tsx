import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import { DeletePlantDialog } from '#features/plants/delete-plant-dialog.tsx';
import { PlantFormSheet } from '#features/plants/plant-form-sheet.tsx';
import type { PlantFormSearch } from './-open-plant-form.ts';

export function PlantFormDialogs({ search }: { search: PlantFormSearch }) {
  const close = useClose();
  const { form, delete: doomed } = search;
  return (
    <>
      {form && <PlantFormSheet key={form} id={form === 'new' ? null : form} onClose={close} />}
      {doomed && <DeletePlantDialog key={doomed} id={doomed} onClose={close} />}
    </>
  );
}

/** Back to where it was opened; opened by its address, there is nothing behind it. */
function useClose(): () => void {
  const { history, navigate } = useRouter();
  return useCallback(() => {
    if ((history.location.state.__TSR_index ?? 0) > 0) return history.back();
    const search = ({ form: _, delete: __, ...rest }: PlantFormSearch) => rest;
    void navigate({ to: '.', search, replace: true, resetScroll: false });
  }, [history, navigate]);
}
