import { useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Spinner } from '#client/ui/feedback/spinner.tsx';
import styles from './plant-dialog.module.css';

// A dialog and its charts weigh a third of a screen; a cold visit does without.
const PlantDialogContent = lazy(async () => ({
  default: (await import('./plant-dialog-content.tsx')).PlantDialogContent,
}));

/** The plant dialog, over whatever dashboard screen the address names a plant on. */
export function PlantDialog() {
  const { plant: id } = useSearch({ from: '/dashboard' });
  if (id === undefined) return null;
  return (
    <Suspense fallback={<Opening />}>
      <PlantDialogContent key={id} id={id} />
    </Suspense>
  );
}

function Opening() {
  return (
    <div className={styles.opening}>
      <Spinner label="Loading plant..." />
    </div>
  );
}
