import { useRef, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import { rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { minuteMs } from '#domain/time.ts';
import { offsetAt, type TimeZone } from '#domain/zone.ts';
import { failureText } from '../failure-text.ts';
import styles from './zone-offer.module.css';

/**
 * Offers this device's time zone while its offset from UTC differs from that of the account's zone. With `onDecline`
 * there is a button to decline. Shows the offset instead of the zone's name, because Intl would take a third of the
 * first screen's rendering time.
 */
export function ZoneOffer({ onDecline }: { onDecline?: () => void }) {
  const zone = useZone();
  const now = useNow();
  const line = useRef<HTMLDivElement>(null);
  const [isSaving, setSaving] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  if (!isElsewhere(zone, now)) return null;

  /** The element that gets the focus, because the focused button disappears with the line. */
  function screen(): HTMLElement | null {
    return line.current?.closest('main') ?? null;
  }
  /** Resolves to whether the zone is used. */
  async function accept(): Promise<boolean> {
    setSaving(true);
    setFailure(null);
    try {
      // Loaded only when it is needed, because this line is part of the first screen.
      const { acceptZone } = await import('./accept-zone.ts');
      await acceptZone(deviceZoneName());
      return true;
    } catch (error) {
      setFailure(failureText(error instanceof Error ? error : new Error(String(error))));
      return false;
    } finally {
      setSaving(false);
    }
  }

  return (
    <div ref={line} className={styles.line}>
      <p>{`Use this device’s time zone (${deviceOffsetText(now)})?`}</p>
      {failure !== null && (
        <p role="alert" className={styles.failure}>
          {failure}
        </p>
      )}
      <div className={styles.actions}>
        <Button
          look="quiet"
          size="small"
          busyText={isSaving ? 'Saving...' : null}
          onClick={() => {
            const main = screen();
            const moveFocus = rememberFocus();
            void accept().then((isUsed) => isUsed && moveFocus(main));
          }}
        >
          Use
        </Button>
        {onDecline && (
          <Button
            look="quiet"
            size="small"
            aria-label="Not now, keep the time zone"
            onClick={() => {
              screen()?.focus({ preventScroll: true });
              onDecline();
            }}
          >
            Not now
          </Button>
        )}
      </div>
    </div>
  );
}

/** On the dashboard: offers this device's time zone until the person declines it on this device. */
export function ZoneLine() {
  const [isDeclined, setDeclined] = useRememberedFlag('sprig.zone-declined', false);
  return isDeclined ? null : <ZoneOffer onDecline={() => setDeclined(true)} />;
}

/** Whether this device's clock shows another time of day than clocks in the zone at `now` (ms). Does not use Intl. */
function isElsewhere(zone: TimeZone, now: number): boolean {
  return -new Date(now).getTimezoneOffset() * minuteMs !== offsetAt(zone, now);
}

/** This device's offset from UTC at `now` (ms), such as UTC+5:30. Does not use Intl. */
export function deviceOffsetText(now: number): string {
  const minutesEast = -new Date(now).getTimezoneOffset();
  const minutes = Math.abs(minutesEast);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const sign = minutesEast < 0 ? '−' : '+';
  return `UTC${sign}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** The IANA name of this device's time zone. */
export function deviceZoneName(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
