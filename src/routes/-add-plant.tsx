import { Plus } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { useOverScreen } from './-over-screen.ts';

export function AddPlant({ label }: { label: string }) {
  const { open } = useOverScreen();
  return (
    <Button onClick={() => open({ form: 'new' })}>
      <Plus aria-hidden size={18} /> {label}
    </Button>
  );
}
