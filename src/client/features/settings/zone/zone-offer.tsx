import { useRef, useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import { rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { useRememberedFlag } from '#client/ui/use-remembered-flag.ts';
import { failureText } from '../save-state.ts';
import { deviceOffsetText, deviceZoneName, isElsewhere } from './device-zone.ts';
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
      <p>Use this device’s time zone ({deviceOffsetText(now)})?</p>
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
