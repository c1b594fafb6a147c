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
   * Goes back to the screen. Without an entry to go back to, as when the page was loaded with the overlay's URL,
   * removes the params instead.
   */
  close: () => void;
  /** As `close`, for an overlay above another one: the other one, whose params are `below`, stays open. */
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
