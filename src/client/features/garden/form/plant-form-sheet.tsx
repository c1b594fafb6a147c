import { usePlantSnapshot } from '../use-garden.ts';
import { PlantForm } from './plant-form.tsx';

/** The wizard for a new plant, or for the plant of an id. */
export function PlantFormSheet({
  id,
  onClose,
  onMissing,
}: {
  id: string | null;
  onClose: () => void;
  /** There is no such plant. */
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
