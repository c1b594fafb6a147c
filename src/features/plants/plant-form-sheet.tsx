import { useEffect, useState } from 'react';
import { PlantForm } from './plant-form.tsx';
import { useFoldedPlant } from './use-folded-plant.ts';

/** The wizard for a new plant, or for the plant of an id. */
export function PlantFormSheet({ id, onClose }: { id: string | null; onClose: () => void }) {
  return id === null ? (
    <PlantForm plant={null} onClose={onClose} />
  ) : (
    <EditSheet id={id} onClose={onClose} />
  );
}

/** Works on the plant as it was at first: nothing that happens meanwhile takes away what is being typed. */
function EditSheet({ id, onClose }: { id: string; onClose: () => void }) {
  const plant = useFoldedPlant(id);
  const [first, setFirst] = useState(plant);
  if (!first && plant) setFirst(plant);
  const isMissing = !first && plant === null;
  useEffect(() => {
    if (isMissing) onClose();
  }, [isMissing, onClose]);
  return first ? <PlantForm plant={first} onClose={onClose} /> : null;
}
