import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { DashboardSearch } from './-dashboard-search.ts';

export type PlantFormSearch = Pick<DashboardSearch, 'form' | 'delete'>;

/** Opens the wizard or the delete confirmation over the present screen, so that back closes it. */
export function useOpenPlantForm(): (search: PlantFormSearch) => void {
  const navigate = useNavigate();
  return useCallback(
    (search) =>
      void navigate({ to: '.', search: (now) => ({ ...now, ...search }), resetScroll: false }),
    [navigate],
  );
}
