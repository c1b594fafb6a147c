import { useEffect, useState } from 'react';
import { PlantForm } from './plant-form.tsx';
import { useFoldedPlant } from './use-folded-plant.ts';

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

/** Works on the plant as it was at first: nothing that happens meanwhile takes away what is being typed. */
function EditSheet({
  id,
  onClose,
  onMissing,
}: {
  id: string;
  onClose: () => void;
  onMissing: (id: string) => void;
}) {
  const plant = useFoldedPlant(id);
  const [first, setFirst] = useState(plant);
  if (!first && plant) setFirst(plant);
  const isMissing = !first && plant === null;
  useEffect(() => {
    if (isMissing) onMissing(id);
  }, [isMissing, onMissing, id]);
  return first ? <PlantForm plant={first} onClose={onClose} /> : null;
}
