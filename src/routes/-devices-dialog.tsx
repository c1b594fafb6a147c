import { DevicesSheet } from '#features/account/devices-sheet.tsx';
import type { DashboardSearch } from './-dashboard-search.ts';
import { useLeave } from './-use-leave.ts';

export function DevicesDialog() {
  return <DevicesSheet onClose={useLeave(withoutDevices)} />;
}

function withoutDevices({ devices: _, ...rest }: DashboardSearch): DashboardSearch {
  return rest;
}
