import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { DashboardSearch } from './-dashboard-search.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Opened over a screen of ours: going back leads to that screen. */
    isOverScreen?: boolean;
  }
}

/** Opens a plant's dialog over the screen that it stands on. */
export function PlantLink({ id, label, children }: PlantLinkProps) {
  return (
    <Link
      to="."
      search={(search: DashboardSearch) => ({ ...search, plant: id })}
      state={{ isOverScreen: true }}
      resetScroll={false}
      preload={false}
      aria-label={label}
      data-plant={id}
    >
      {children}
    </Link>
  );
}

interface PlantLinkProps {
  id: string;
  label?: string;
  children?: ReactNode;
}

/** The link to a plant on the screen, if it stands there. */
export function plantLinkElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`a[data-plant="${CSS.escape(id)}"]`);
}
