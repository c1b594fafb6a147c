import { type HistoryState, type RouterHistory, useRouter } from '@tanstack/react-router';
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
      if (router.latestLocation.state.isOverlay) goBackOnce(router.history);
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

/** Whether the browser has not gone back yet. */
let isGoingBack = false;
/** After this time it counts as gone back. */
const longestMs = 1_000;

/** Going back takes a moment, and a second tap on Close meanwhile would go back once more and leave the screen. */
function goBackOnce(history: RouterHistory): void {
  if (isGoingBack) return;
  isGoingBack = true;
  const end = () => {
    isGoingBack = false;
    clearTimeout(timer);
    window.removeEventListener('popstate', end);
  };
  window.addEventListener('popstate', end);
  // A browser may ignore it, e.g. because of another navigation.
  const timer = setTimeout(end, longestMs);
  history.back();
}
