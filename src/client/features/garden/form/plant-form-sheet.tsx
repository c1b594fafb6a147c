import { usePlantSnapshot } from '../use-garden.ts';
import { PlantForm } from './plant-form.tsx';

/** The form for a new plant (`id` is null) or an existing one. */
export function PlantFormSheet({
  id,
  onClose,
  onMissing,
}: {
  id: string | null;
  onClose: () => void;
  /** Called when there is no such plant. */
  onMissing: (id: string) => void;
}) {
  return id === null ? (
    <PlantForm plant={null} onClose={onClose} />
  ) : (
    <EditSheet id={id} onClose={onClose} onMissing={onMissing} />
  );
}

function EditSheet({
  id,
  onClose,
  onMissing,
}: {
  id: string;
  onClose: () => void;
  onMissing: (id: string) => void;
}) {
  const plant = usePlantSnapshot(id, onMissing);
  return plant && <PlantForm plant={plant} onClose={onClose} />;
}
