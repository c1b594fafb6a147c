import { useSearch } from '@tanstack/react-router';
import { Suspense, useMemo, useRef, useState } from 'react';
import { EmptyState, Spinner } from '#client/ui/feedback/screen-state.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { hasFormInput } from '#client/ui/form/form-input.ts';
import { Tabs } from '#client/ui/layout/tabs.tsx';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { Sheet } from '#client/ui/overlay/sheet.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { UndoChange } from '../../journal/undo-change.tsx';
import { plantLinkElement } from '../card/plant-link.tsx';
import { PlantPicture } from '../card/plant-picture.tsx';
import { RetryLoad } from '../plants-gate.tsx';
import { SensorTab } from '../sensors/sensor-tab.tsx';
import { useFirstLoad, usePlant } from '../use-garden.ts';
import { PlantCareSettings, PlantOverview } from './plant-details.tsx';
import styles from './plant-dialog.module.css';

const HistoryTab = lazyComponent(() => import('../../journal/history-tab.tsx'), 'HistoryTab');

/** Everything about one plant, in tabs; the URL says which tab is open. */
export function PlantDialog({ id }: { id: string }) {
  const { tab = 'overview', entry, photo } = useSearch({ from: '/dashboard' });
  const current = usePlant(id, useNow());
  const [last, setLast] = useState(current);
  if (current && current !== last) setLast(current);
  // If the plant was deleted elsewhere while a person types in its history, the dialog still shows it, so that the text
  // can be copied.
  const isKept = current === null && last && tab === 'history' && hasFormInput();
  const view = isKept ? last : current;
  const { open, replace, close, closeTo } = useOverlay();
  // The viewer is an overlay of its own, so that back closes it and leaves this dialog open.
  const viewer = useMemo(() => {
    const history = { plant: id, tab: 'history' } as const;
    return {
      open: (photoId: string) => open({ ...history, photo: photoId }),
      show: (photoId: string) => replace({ ...history, photo: photoId }),
      close: () => closeTo(history),
    };
  }, [id, open, replace, closeTo]);
  const openPanel = useRef<HTMLDivElement>(null);
  const sheet = { onClose: close, returnFocusTo: () => plantLinkElement(id) };
  if (!view) {
    return (
      <Sheet title="Plant" subtitle="Details of a plant" {...sheet}>
        <div className={styles.missing}>
          <MissingPlant isAbsent={view === null} onClose={close} />
        </div>
      </Sheet>
    );
  }
  const { plant } = view;
  const edit = () => replace({ form: id });
  return (
    <Sheet
      title={plant.nickname}
      subtitle={[plant.actualName, plant.location].filter(Boolean).join(' · ')}
      picture={<PlantPicture plant={plant} className={styles.picture} />}
      {...sheet}
    >
      <Tabs
        label={`Details of ${plant.nickname}`}
        open={tab}
        openPanel={openPanel}
        onOpen={(name) => replace({ plant: id, tab: name })}
        tabs={[
          {
            name: 'overview',
            label: 'Overview',
            content: (
              <PlantOverview
                view={view}
                onRemind={() => replace({ reminders: id })}
                onEdit={edit}
                onDelete={() => replace({ delete: id })}
              />
            ),
          },
          {
            name: 'sensors',
            label: 'Sensor Data',
            content: <SensorTab plant={plant} />,
          },
          {
            name: 'care',
            label: 'Care Settings',
            content: <PlantCareSettings view={view} onEdit={edit} onClose={close} />,
          },
          {
            name: 'history',
            label: 'History',
            content: (
              <Suspense fallback={<Spinner label="Loading history..." />}>
                <HistoryTab
                  plant={plant}
                  isDeleted={current === null}
                  isAdding={entry === 'new'}
                  onAdded={() => entry && replace({ plant: id, tab: 'history' })}
                  photoId={photo ?? null}
                  viewer={viewer}
                />
              </Suspense>
            ),
          },
        ]}
      />
      <div className={styles.undo}>
        <UndoChange onUndo={() => openPanel.current?.focus()} />
      </div>
    </Sheet>
  );
}

/**
 * Shown when a link names a plant that is not loaded yet or was deleted. `isAbsent`: the database has no such plant.
 */
function MissingPlant({ isAbsent, onClose }: { isAbsent: boolean; onClose: () => void }) {
  const load = useFirstLoad();
  if (load === 'failed') {
    return (
      <EmptyState title="Failed to load plant data" isError>
        <RetryLoad />
      </EmptyState>
    );
  }
  if (!isAbsent || load === 'loading') return <Spinner label="Loading plant..." />;
  return (
    <EmptyState title="This plant is not in your collection">
      <p>It may have been deleted, perhaps on another device.</p>
      <Button onClick={onClose}>Close</Button>
    </EmptyState>
  );
}
