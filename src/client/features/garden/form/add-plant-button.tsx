import { Plus } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import { useOverlay } from '../../dashboard/use-overlay.ts';

export function AddPlantButton({ label }: { label: string }) {
  const { open } = useOverlay();
  return (
    <Button onClick={() => open({ form: 'new' })}>
      <Plus aria-hidden size={18} /> {label}
    </Button>
  );
}
