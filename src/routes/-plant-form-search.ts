import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';

export interface PlantFormSearch {
  /** 'new', or the id of the plant to edit. */
  form?: string;
  /** The id of the plant to delete. */
  delete?: string;
}

/** An id of digits arrives as a number. */
export function plantFormSearch(search: Record<string, unknown>): PlantFormSearch {
  const isId = (value: unknown) =>
    (typeof value === 'string' && value !== '') || typeof value === 'number';
  return {
    ...(isId(search.form) && { form: String(search.form) }),
    ...(isId(search.delete) && { delete: String(search.delete) }),
  };
}

/** Opens one of them over the present screen, so that back closes it. */
export function useOpenPlantForm(): (search: PlantFormSearch) => void {
  const navigate = useNavigate();
  return useCallback(
    (search) =>
      void navigate({ to: '.', search: (now) => ({ ...now, ...search }), resetScroll: false }),
    [navigate],
  );
}
