import { DeletePlantDialog } from '#features/plants/delete-plant-dialog.tsx';
import { PlantFormSheet } from '#features/plants/plant-form-sheet.tsx';
import type { DashboardSearch } from './-dashboard-search.ts';
import type { PlantFormSearch } from './-open-plant-form.ts';
import { useLeave } from './-use-leave.ts';

export function PlantFormDialogs({ search }: { search: PlantFormSearch }) {
  const close = useLeave(withoutForm);
  const { form, delete: doomed } = search;
  return (
    <>
      {form && <PlantFormSheet key={form} id={form === 'new' ? null : form} onClose={close} />}
      {doomed && <DeletePlantDialog key={doomed} id={doomed} onClose={close} />}
    </>
  );
}

function withoutForm({ form: _, delete: __, ...rest }: DashboardSearch): DashboardSearch {
  return rest;
}
