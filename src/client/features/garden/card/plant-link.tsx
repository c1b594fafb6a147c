import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { overlayState } from '../../dashboard/use-overlay.ts';

interface PlantLinkProps {
  id: string;
  label?: string;
  children?: ReactNode;
}

/** Opens a plant's dialog over the current screen. */
export function PlantLink({ id, label, children }: PlantLinkProps) {
  return (
    <Link
      to="."
      search={{ plant: id }}
      state={overlayState}
      resetScroll={false}
      preload={false}
      aria-label={label}
      data-plant={id}
    >
      {children}
    </Link>
  );
}

/** The link to a plant on the current screen, which gets the focus back when the plant's dialog closes. */
export function plantLinkElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`a[data-plant="${CSS.escape(id)}"]`);
}
