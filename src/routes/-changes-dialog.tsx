import type { ReactNode } from 'react';
import { ChangesSheet } from '#features/sync-status/changes-sheet.tsx';
import { NoticeCard } from '#features/sync-status/notice-card.tsx';
import { useOverScreen } from './-over-screen.ts';

/** What is seldom seen of sync, in one piece: what is news of the changes, or all of them. */
export function ChangesDialog({ isOpen }: { isOpen: boolean }): ReactNode {
  const { open, replace, close } = useOverScreen();
  return isOpen ? (
    <ChangesSheet onEdit={(plantKey) => replace({ form: plantKey })} onClose={close} />
  ) : (
    <NoticeCard onShowAll={() => open({ changes: 1 })} />
  );
}
