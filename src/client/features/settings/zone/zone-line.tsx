import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { ZoneOffer } from './zone-offer.tsx';

/** On the dashboard: offers this device's time zone until the person declines it on this device. */
export function ZoneLine() {
  const [isDeclined, setDeclined] = useRememberedFlag('sprig.zone-declined', false);
  return isDeclined ? null : <ZoneOffer onDecline={() => setDeclined(true)} />;
}
