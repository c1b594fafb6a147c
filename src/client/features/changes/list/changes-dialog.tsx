import type { ReactNode } from 'react';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { NoticeCard } from '../status/notice-card.tsx';
import { ChangesSheet } from './changes-sheet.tsx';

/** The lazily loaded part of changes: the sheet with all of them, or the notice about the newest. */
export function ChangesDialog({ isOpen }: { isOpen: boolean }): ReactNode {
  const { open, replace, close } = useOverlay();
  return isOpen ? (
    <ChangesSheet onEdit={(plantKey) => replace({ form: plantKey })} onClose={close} />
  ) : (
    <NoticeCard onShowAll={() => open({ changes: 1 })} />
  );
}
