import { useEffect, useState } from 'react';
import {
  type PushSupport,
  pushSupport,
  subscribePush,
  unsubscribePush,
} from '#client/session/push-subscription.ts';
import { plural } from '#domain/text.ts';
import { SettingSwitch } from '../setting-switch.tsx';
import styles from '../settings.module.css';
import { type ChannelsProps, ChannelTest } from './channel-test.tsx';

/** Push messages to this device. Every other device is subscribed by its own switch. */
export function PushChannel({ state, change, onTested }: ChannelsProps) {
  const [support, refresh] = usePushSupport();
  const count = state.push_subscriptions;
  async function turn(isOn: boolean): Promise<void> {
    // Before anything else, because browsers ask for the permission only directly after a tap.
    await (isOn ? subscribePush() : unsubscribePush());
    if (isOn) await change({ push_enabled: true });
    else await onTested();
    await refresh();
  }
  return (
    <section className={styles.group} aria-label="Push messages">
      <SettingSwitch
        label="Push messages on this device"
        isOn={support?.type === 'available' && support.isSubscribed && state.push_enabled}
        disabled={support?.type !== 'available'}
        onChange={turn}
      >
        {support?.type === 'unavailable'
          ? support.reason
          : `${count === 0 ? 'No device' : plural(count, 'device')} of yours gets them.`}
      </SettingSwitch>
      {count > 0 && state.push_enabled && (
        <ChannelTest channel="push" state={state.channels.push} onTested={onTested} />
      )}
    </section>
  );
}

/**
 * Null until it is known. Checked again on return to the page, since the person may have allowed notifications
 * meanwhile.
 */
function usePushSupport(): [support: PushSupport | null, refresh: () => Promise<void>] {
  const [support, setSupport] = useState<PushSupport | null>(null);
  async function refresh(): Promise<void> {
    setSupport(await pushSupport());
  }
  // The browser's permission is outside of React and changes without an event.
  useEffect(() => {
    const onReturn = () => void pushSupport().then(setSupport);
    onReturn();
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
  }, []);
  return [support, refresh];
}
