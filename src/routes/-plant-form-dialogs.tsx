import { DeletePlantDialog } from '#features/plants/delete-plant-dialog.tsx';
import { PlantFormSheet } from '#features/plants/plant-form-sheet.tsx';
import type { PlantFormSearch } from './-plant-form-search.ts';

export function PlantFormDialogs({
  search,
  onClose,
}: {
  search: PlantFormSearch;
  onClose: () => void;
}) {
  const { form, delete: doomed } = search;
  return (
    <>
      {form && <PlantFormSheet key={form} id={form === 'new' ? null : form} onClose={onClose} />}
      {doomed && <DeletePlantDialog key={doomed} id={doomed} onClose={onClose} />}
    </>
  );
}
