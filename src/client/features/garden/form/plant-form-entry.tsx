import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

// Seldom needed, and as much code as a screen.
const PlantFormDialogs = lazy(async () => ({
  default: (await import('./plant-form-dialogs.tsx')).PlantFormDialogs,
}));

/** The wizard and the delete confirmation over whatever dashboard screen, as the address says. */
export function PlantForm() {
  const search = useSearch({ from: '/dashboard' });
  if (!search.form && !search.delete) return null;
  return (
    <Suspense>
      <PlantFormDialogs {...search} />
    </Suspense>
  );
}
