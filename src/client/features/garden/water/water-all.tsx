import { Droplets } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '#client/ui/form/button.tsx';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import type { PlantView } from '../plant-view.ts';

// Rarely opened.
const WaterAllDialog = lazyComponent(() => import('./water-all-dialog.tsx'), 'WaterAllDialog');

/** Offers to record a watering of all plants of a list, if there are at least two. */
export function WaterAll({ plants }: { plants: readonly PlantView[] }) {
  // The plants when the dialog was opened. The number that the person confirms must not change while it is open.
  const [asked, setAsked] = useState<readonly string[] | null>(null);
  if (plants.length < 2 && !asked) return null;
  return (
    <>
      <Button look="quiet" onClick={() => setAsked(plants.map(({ plant }) => plant.id))}>
        <Droplets aria-hidden size={18} /> <span>{`Water all ${plants.length}`}</span>
      </Button>
      {asked && (
        <Suspense>
          <WaterAllDialog plantKeys={asked} onClose={() => setAsked(null)} />
        </Suspense>
      )}
    </>
  );
}
