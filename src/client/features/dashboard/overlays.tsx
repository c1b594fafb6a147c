import { useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useCallback } from 'react';
import { useDb } from '#client/session/current.tsx';
import { Spinner } from '#client/ui/feedback/screen-state.tsx';
import { lazyComponent } from '#client/ui/lazy-component.ts';
import { Notices } from '../changes/status/notices.tsx';
import { useLastChange } from '../journal/change-entries.ts';
import styles from './overlays.module.css';
import { useOverlay } from './use-overlay.ts';

// Loaded lazily: the plant's dialog with its charts, and its form, each need as much code as a screen.
const PlantDialog = lazyComponent(() => import('../garden/detail/plant-dialog.tsx'), 'PlantDialog');
const PlantFormSheet = lazyComponent(
  () => import('../garden/form/plant-form.tsx'),
  'PlantFormSheet',
);
const DeletePlantDialog = lazyComponent(
  () => import('../garden/detail/delete-plant-dialog.tsx'),
  'DeletePlantDialog',
);
const RemindersDialog = lazyComponent(
  () => import('../garden/reminders/reminders-dialog.tsx'),
  'RemindersDialog',
);

/** A plant's dialogs over any dashboard screen; the URL says which is open. */
export function PlantOverlays() {
  const { plant, form, delete: deleted, reminders } = useSearch({ from: '/dashboard' });
  const { replace, close } = useOverlay();
  // Shows the plant's dialog instead, which says that there is no such plant.
  const showMissing = useCallback((id: string) => replace({ plant: id }), [replace]);
  return (
    <>
      {plant && (
        <Suspense fallback={<OpeningDialog />}>
          <PlantDialog key={plant} id={plant} />
        </Suspense>
      )}
      <Suspense>
        {form && (
          <PlantFormSheet
            key={form}
            id={form === 'new' ? null : form}
            onClose={close}
            onMissing={showMissing}
          />
        )}
        {deleted && (
          <DeletePlantDialog key={deleted} id={deleted} onClose={close} onMissing={showMissing} />
        )}
        {reminders && (
          <RemindersDialog key={reminders} id={reminders} onClose={close} onMissing={showMissing} />
        )}
      </Suspense>
    </>
  );
}

function OpeningDialog() {
  return (
    <div className={styles.opening}>
      <Spinner label="Loading plant..." />
    </div>
  );
}

// Rarely opened.
const DevicesSheet = lazyComponent(
  () => import('../account/devices/devices-sheet.tsx'),
  'DevicesSheet',
);

/** The devices sheet, on every dashboard screen when the URL asks for it. */
export function Devices() {
  const { devices } = useSearch({ from: '/dashboard' });
  const { close } = useOverlay();
  if (!devices) return null;
  return (
    <Suspense>
      <DevicesSheet onClose={close} />
    </Suspense>
  );
}

// Rarely seen. If a chunk fails to load, the screen works without it, and the header still shows the sync status.
const ChangesSheet = lazyComponent(
  () => import('../changes/list/changes-sheet.tsx').catch(() => ({ ChangesSheet: Nothing })),
  'ChangesSheet',
);
const NoticeCard = lazyComponent(
  () => import('../changes/status/notice-card.tsx').catch(() => ({ NoticeCard: Nothing })),
  'NoticeCard',
);

const UndoWaterings = lazyComponent(
  () => import('../garden/water/undo-waterings.tsx').catch(() => ({ UndoWaterings: Nothing })),
  'UndoWaterings',
);

const UndoChange = lazyComponent(
  () => import('../journal/undo-change.tsx').catch(() => ({ UndoChange: Nothing })),
  'UndoChange',
);

function Nothing(): ReactNode {
  return null;
}

/** All notices of a dashboard screen. When the URL asks for the sheet of changes, it replaces the notice about them. */
export function NoticesAndChanges() {
  const search = useSearch({ from: '/dashboard' });
  const isOpen = search.changes === 1;
  // The plant's dialog contains the undo notice itself: it is modal and traps the focus, so that the keyboard would not
  // reach a notice outside it.
  const isInDialog = search.plant !== undefined;
  const { open, replace, close } = useOverlay();
  const change = useLastChange(useDb());
  return (
    <>
      <Notices
        waitingNotice={
          <Suspense>
            <UndoWaterings />
          </Suspense>
        }
        undoNotice={
          change &&
          !isInDialog && (
            <Suspense>
              <UndoChange />
            </Suspense>
          )
        }
      >
        <Suspense>
          <NoticeCard isHidden={isOpen} onShowAll={() => open({ changes: 1 })} />
        </Suspense>
      </Notices>
      {isOpen && (
        <Suspense>
          <ChangesSheet onEdit={(plantKey) => replace({ form: plantKey })} onClose={close} />
        </Suspense>
      )}
    </>
  );
}
