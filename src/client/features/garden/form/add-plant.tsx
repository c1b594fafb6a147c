import { Plus } from 'lucide-react';
import { useOverScreen } from '#client/routes/dashboard/-over-screen.ts';
import { Button } from '#client/ui/form/button.tsx';

export function AddPlant({ label }: { label: string }) {
  const { open } = useOverScreen();
  return (
    <Button onClick={() => open({ form: 'new' })}>
      <Plus aria-hidden size={18} /> {label}
    </Button>
  );
}
