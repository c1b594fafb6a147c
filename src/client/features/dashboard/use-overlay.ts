import { type HistoryState, useRouter } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { DashboardSearch } from './dashboard-search.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the app added this history entry to open an overlay, so that going back closes the overlay. */
    isOverlay?: boolean;
  }
}

/** The history state of a URL that opens an overlay. */
export const overlayState: HistoryState = { isOverlay: true };

interface OverlayActions {
  /** Adds a history entry, so that back closes the overlay. */
  open: (search: DashboardSearch) => void;
  /** Shows another overlay in place of the open one, without a history entry of its own. */
  replace: (search: DashboardSearch) => void;
  /**
   * Goes back to the screen, or removes the params if the app added no history entry for the overlay, e.g. because a
   * link from outside opened it.
   */
  close: () => void;
  /** Like `close`, but leaves the overlay below open. `below`: the params of that overlay. */
  closeTo: (below: DashboardSearch) => void;
}

/** Opens and closes the dialogs over a dashboard screen; the URL says which are open. */
export function useOverlay(): OverlayActions {
  const router = useRouter();
  return useMemo(() => {
    const go = (search: DashboardSearch, how: { replace?: true; state: HistoryState | true }) =>
      void router.navigate({ to: '.', resetScroll: false, search, ...how });
    const replace = (search: DashboardSearch) => go(search, { replace: true, state: true });
    const closeTo = (below: DashboardSearch) => {
      if (router.latestLocation.state.isOverlay) router.history.back();
      else replace(below);
    };
    return {
      open: (search) => go(search, { state: overlayState }),
      replace,
      close: () => closeTo({}),
      closeTo,
    };
  }, [router]);
}
