import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { DashboardSearch } from './-dashboard-search.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opened over a screen of ours: going back leads to that screen. */
    isOverScreen?: boolean;
  }
}

interface OverScreen {
  /** Over the present screen, so that back closes it. */
  open: (search: DashboardSearch) => void;
  /** In the place of what is open: no step of its own, so that going back always leads to the screen. */
  replace: (search: DashboardSearch) => void;
  /** Back to the screen; opened by its address, there is nothing behind it but the address without it. */
  close: () => void;
}

/** Opens and closes what lies over a dashboard screen: one thing at a time, as the address says. */
export function useOverScreen(): OverScreen {
  const router = useRouter();
  return useMemo(() => {
    const go = (search: DashboardSearch, how: { replace?: true; state: HistoryState | true }) =>
      void router.navigate({ to: '.', resetScroll: false, search, ...how });
    const replace = (search: DashboardSearch) => go(search, { replace: true, state: true });
    return {
      open: (search) => go(search, { state: { isOverScreen: true } }),
      replace,
      close: () => {
        if (router.latestLocation.state.isOverScreen) router.history.back();
        else replace({});
      },
    };
  }, [router]);
}
