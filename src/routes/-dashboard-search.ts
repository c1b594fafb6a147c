import type { DetailTab } from '#features/plants/plant-detail.tsx';

type PlantId = string | number;

/** What lies over a dashboard screen is part of its address. */
export interface DashboardSearch {
  /** The plant whose details are open, and on which tab. */
  plant?: PlantId;
  tab?: DetailTab;
  /** The plant that is being edited, or 'new'. */
  form?: PlantId;
  /** The plant that is about to be deleted. */
  delete?: PlantId;
}

/** Reads an address; what makes no sense in it is left out. */
export function dashboardSearch(search: Record<string, unknown>): DashboardSearch {
  const { plant, tab, form, delete: doomed } = search;
  return {
    ...(isId(plant) && { plant }),
    ...((tab === 'sensors' || tab === 'care') && { tab }),
    ...(isId(form) && { form }),
    ...(isId(doomed) && { delete: doomed }),
  };
}

function isId(value: unknown): value is PlantId {
  return typeof value === 'number' || (typeof value === 'string' && value !== '');
}
