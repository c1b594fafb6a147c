import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface PlantLinkProps {
  id: string;
  label?: string;
  children?: ReactNode;
}

/** Opens a plant's dialog over the screen that it stands on. */
export function PlantLink({ id, label, children }: PlantLinkProps) {
  return (
    <Link
      to="."
      search={{ plant: id }}
      state={{ isOverlay: true }}
      resetScroll={false}
      preload={false}
      aria-label={label}
      data-plant={id}
    >
      {children}
    </Link>
  );
}

/** The link to a plant on the screen, if it stands there. */
export function plantLinkElement(id: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`a[data-plant="${CSS.escape(id)}"]`);
}
