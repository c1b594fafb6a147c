import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { DashboardSearch } from './-dashboard-search.ts';

/** Back to where a dialog was opened; opened by its address, there is nothing behind it but the address without it. */
export function useLeave(without: (search: DashboardSearch) => DashboardSearch): () => void {
  const { history, navigate } = useRouter();
  return useCallback(() => {
    if ((history.location.state.__TSR_index ?? 0) > 0) return history.back();
    void navigate({ to: '.', search: without, replace: true, resetScroll: false });
  }, [history, navigate, without]);
}
