import { Plus } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { useOpenPlantForm } from './-open-plant-form.ts';

export function AddPlant({ label }: { label: string }) {
  const open = useOpenPlantForm();
  return (
    <Button onClick={() => open({ form: 'new' })}>
      <Plus aria-hidden size={18} /> {label}
    </Button>
  );
}
