import { useAccount } from '#client/session/current.tsx';
import { Field } from '#client/ui/form/field.tsx';
import { SettingForm } from '../setting-form.tsx';
import { SettingSwitch } from '../setting-switch.tsx';
import styles from '../settings.module.css';
import { type ChannelsProps, ChannelTest } from './channel-test.tsx';
import { PushChannel } from './push-channel.tsx';

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
        To {email}
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
    // Entering a topic for the first time also turns the channel on.
    const isFirst = saved === null && url !== null;
    await change({ ntfy_url: url, ntfy_enabled: isFirst || (isOn && url !== null) });
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
