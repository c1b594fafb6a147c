import type { ReactNode } from 'react';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { NoticeCard } from '../status/notice-card.tsx';
import { ChangesSheet } from './changes-sheet.tsx';

/** What is seldom seen of sync, in one piece: what is news of the changes, or all of them. */
export function ChangesDialog({ isOpen }: { isOpen: boolean }): ReactNode {
  const { open, replace, close } = useOverlay();
  return isOpen ? (
    <ChangesSheet onEdit={(plantKey) => replace({ form: plantKey })} onClose={close} />
  ) : (
    <NoticeCard onShowAll={() => open({ changes: 1 })} />
  );
}
