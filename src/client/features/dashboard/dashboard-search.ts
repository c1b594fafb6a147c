export type PlantTab = 'overview' | 'sensors' | 'care' | 'history';

/** The search params of every dashboard screen: which dialog is open over it. */
export interface DashboardSearch {
  /** The plant whose details are open, and on which tab. */
  plant?: string | undefined;
  tab?: PlantTab | undefined;
  /** The form of a new entry is open in the history of that plant. */
  entry?: 'new' | undefined;
  /** The photo that is open in the viewer, in the history of that plant. */
  photo?: string | undefined;
  /** The plant in the form, or 'new'. */
  form?: string | undefined;
  /** The plant whose deletion is to be confirmed. */
  delete?: string | undefined;
  /** The plant whose reminders are set. */
  reminders?: string | undefined;
  /** The list of the account's devices is open. */
  devices?: 1 | undefined;
  /** The list of unsent changes is open. */
  changes?: 1 | undefined;
}

/** Invalid params must be set to undefined explicitly: the router keeps omitted keys as they are in the URL. */
export function dashboardSearch(search: Record<string, unknown>): DashboardSearch {
  return {
    plant: idOf(search.plant),
    tab: tabOf(search.tab),
    entry: search.entry === 'new' ? 'new' : undefined,
    photo: idOf(search.photo),
    form: idOf(search.form),
    delete: idOf(search.delete),
    reminders: idOf(search.reminders),
    devices: search.devices === 1 ? 1 : undefined,
    changes: search.changes === 1 ? 1 : undefined,
  };
}

function tabOf(value: unknown): PlantTab | undefined {
  return value === 'sensors' || value === 'care' || value === 'history' ? value : undefined;
}

/** The router parses an id of digits alone as a number. */
function idOf(value: unknown): string | undefined {
  const isId = typeof value === 'number' || (typeof value === 'string' && value !== '');
  return isId ? String(value) : undefined;
}
