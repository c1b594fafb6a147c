import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChangesSheet } from '#features/sync-status/changes-sheet.tsx';
import { NoticeCard } from '#features/sync-status/notice-card.tsx';
import type { DashboardSearch } from './-dashboard-search.ts';
import { useLeave } from './-use-leave.ts';

/** What is seldom seen of sync, in one piece: what is news of the changes, or all of them. */
export function ChangesDialog({
  isOpen,
  onOpen,
}: {
  isOpen: boolean;
  onOpen: () => void;
}): ReactNode {
  return isOpen ? <WholeList /> : <NoticeCard onShowAll={onOpen} />;
}

function WholeList() {
  const navigate = useNavigate();
  // In its place, so that going back from the form leads to the screen.
  const edit = (plantKey: string) =>
    void navigate({ to: '.', search: { form: plantKey }, replace: true, resetScroll: false });
  return <ChangesSheet onEdit={edit} onClose={useLeave(withoutChanges)} />;
}

function withoutChanges({ changes: _, ...rest }: DashboardSearch): DashboardSearch {
  return rest;
}
