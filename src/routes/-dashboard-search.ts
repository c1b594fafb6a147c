import type { DetailTab } from '#features/plants/plant-detail.tsx';

/** What lies over a dashboard screen is part of its address. */
export interface DashboardSearch {
  /** The plant whose details are open, and on which tab. */
  plant?: string;
  tab?: DetailTab;
  /** The plant that is being edited, or 'new'. */
  form?: string;
  /** The plant that is about to be deleted. */
  delete?: string;
  /** Whether the account's devices are listed. */
  devices?: 1;
}

/** Reads an address; what makes no sense in it is left out. An id of digits arrives as a number. */
export function dashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const { plant, tab, form, delete: doomed, devices } = search;
  return {
    ...(isId(plant) && { plant: String(plant) }),
    ...((tab === 'sensors' || tab === 'care') && { tab }),
    ...(isId(form) && { form: String(form) }),
    ...(isId(doomed) && { delete: String(doomed) }),
    ...(devices === 1 && { devices }),
  };
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
