import { useEffect, useState } from 'react';
import { useAccount, useZone } from '#client/session/current.tsx';
import {
  type PushSupport,
  pushEnd,
  pushSupport,
  subscribePush,
  unsubscribePush,
} from '#client/session/push-subscription.ts';
import { Field } from '#client/ui/form/field.tsx';
import { formatMoment } from '#domain/dates.ts';
import { ntfyTopicPattern, ntfyTopicProblem } from '#domain/reminder/ntfy-topic.ts';
import { plural } from '#domain/text.ts';
import type { TimeZone } from '#domain/zone.ts';
import { SettingForm } from '../setting-form.tsx';
import { SettingSwitch } from '../setting-switch.tsx';
import styles from '../settings.module.css';
import { type ChannelsProps, ChannelTest } from './channel-test.tsx';

/** The channels by which reminders are sent, each with a test. */
export function Channels(props: ChannelsProps) {
  return (
    <>
      <PushChannel {...props} />
      <MailChannel {...props} />
      <NtfyChannel {...props} />
    </>
  );
}

function MailChannel({ state, change, onTested }: ChannelsProps) {
  const { email } = useAccount();
  return (
    <section className={styles.group} aria-label="Email">
      <SettingSwitch
        label="Email"
        isOn={state.mail_enabled}
        onChange={(mail_enabled) => change({ mail_enabled })}
      >
        {state.mail_to_files
          ? 'This server has no mail server: it writes emails to files instead of sending them.'
          : `To ${email}`}
      </SettingSwitch>
      <ChannelTest channel="mail" state={state.channels.mail} onTested={onTested} />
    </section>
  );
}

const maxUrl = 500;

function NtfyChannel({ state, change, onTested }: ChannelsProps) {
  const { ntfy_url: saved, ntfy_enabled: isOn } = state;
  async function changeAddress(typed: string): Promise<void> {
    const url = typed.trim() || null;
    const isFirst = saved === null && url !== null;
    await change({
      ntfy_url: url,
      // Otherwise the switch keeps its state, which another browser may have changed meanwhile.
      ...((isFirst || url === null) && { ntfy_enabled: isFirst }),
    });
  }
  return (
    <section className={styles.group} aria-label="ntfy">
      <SettingSwitch
        label="ntfy"
        isOn={isOn}
        disabled={saved === null}
        onChange={(ntfy_enabled) => change({ ntfy_enabled })}
      >
        {saved === null
          ? 'A free app for messages. To use it, enter the address of your topic.'
          : 'A message to your topic. Everybody who knows its address can read it.'}
      </SettingSwitch>
      <SettingForm
        label="ntfy topic"
        saved={{ url: saved ?? '' }}
        check={checkTopic}
        onSave={({ url }) => changeAddress(url)}
      >
        {(field) => (
          <Field
            label="Address of the topic"
            type="url"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            enterKeyHint="done"
            placeholder="https://ntfy.sh/my-topic"
            maxLength={maxUrl}
            {...field('url')}
          />
        )}
      </SettingForm>
      {saved !== null && (
        <ChannelTest channel="ntfy" state={state.channels.ntfy} onTested={onTested} />
      )}
    </section>
  );
}

/** An empty address is allowed: it removes the topic. */
function checkTopic({ url }: { url: string }): { url?: string } {
  const topic = url.trim();
  return topic === '' || ntfyTopicPattern.test(topic) ? {} : { url: ntfyTopicProblem };
}

/** Push messages to this device. Every other device is subscribed by its own switch. */
function PushChannel({ state, change, onTested }: ChannelsProps) {
  const [support, refresh] = usePushSupport();
  const zone = useZone();
  const count = state.push_enabled ? state.push_subscriptions : 0;
  const { problem } = state.channels.push;
  // The server deletes a subscription that the push service has ended, which the browser does not notice.
  const isStored = state.push_subscribed !== false;
  const isOn =
    support?.type === 'available' && support.isSubscribed && isStored && state.push_enabled;
  async function turn(on: boolean): Promise<void> {
    // Before anything else, because browsers ask for the permission only directly after a tap.
    await (on ? subscribePush() : unsubscribePush());
    // Before the setting is saved, because the device stays subscribed even if saving fails.
    await refresh();
    await onTested();
    if (on) await change({ push_enabled: true });
  }
  return (
    <section className={styles.group} aria-label="Push messages">
      <SettingSwitch
        label="Push messages on this device"
        isOn={isOn}
        disabled={support?.type !== 'available'}
        onChange={turn}
      >
        {support?.type === 'unavailable'
          ? support.reason
          : `${devicesText(count)}${isOn ? endText(pushEnd(), zone) : ''}`}
      </SettingSwitch>
      {(count > 0 || (state.push_enabled && problem !== null)) && (
        <ChannelTest channel="push" state={state.channels.push} onTested={onTested} />
      )}
    </section>
  );
}

function devicesText(count: number): string {
  if (count > 1) return `${plural(count, 'device')} of yours get them.`;
  return `${count === 0 ? 'No device' : '1 device'} of yours gets them.`;
}

/** Push messages to a device end with its session, which is not renewed. */
function endText(end: number | null, zone: TimeZone): string {
  if (end === null) return '';
  const moment = formatMoment(end, 'dateTime', zone);
  return ` This one gets them until you are signed out here, at the latest on ${moment}.`;
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
  // The browser's permission is outside of React, and `Notification.permission` has no change event.
  useEffect(() => {
    const onReturn = () => void pushSupport().then(setSupport);
    onReturn();
    document.addEventListener('visibilitychange', onReturn);
    return () => document.removeEventListener('visibilitychange', onReturn);
  }, []);
  return [support, refresh];
}
