import type { DetailTab } from '#client/features/garden/detail/plant-detail.tsx';

/** What lies over a dashboard screen is part of its address. */
export interface DashboardSearch {
  /** The plant whose details are open, and on which tab. */
  plant?: string | undefined;
  tab?: DetailTab | undefined;
  /** The plant that is being edited, or 'new'. */
  form?: string | undefined;
  /** The plant that is about to be deleted. */
  delete?: string | undefined;
  /** Whether the account's devices are listed. */
  devices?: 1 | undefined;
  /** Whether the changes that wait for the server or the person are listed. */
  changes?: 1 | undefined;
}

/**
 * Reads an address; what makes no sense in it is undefined, since the router would lay what is only left out under it
 * again. An id of digits arrives as a number.
 */
export function dashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const { plant, tab, form, delete: doomed, devices, changes } = search;
  return {
    plant: idIn(plant),
    tab: tab === 'sensors' || tab === 'care' ? tab : undefined,
    form: idIn(form),
    delete: idIn(doomed),
    devices: devices === 1 ? 1 : undefined,
    changes: changes === 1 ? 1 : undefined,
  };
}

function idIn(value: unknown): string | undefined {
  const isId = typeof value === 'number' || (typeof value === 'string' && value !== '');
  return isId ? String(value) : undefined;
}
