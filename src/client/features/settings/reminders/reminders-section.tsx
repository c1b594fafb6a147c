import { useId, useRef } from 'react';
import { useZone } from '#client/session/current.tsx';
import {
  changeReminders,
  loadReminders,
  type Reminders,
  type RemindersChange,
} from '#client/session/settings/reminders.ts';
import { Field } from '#client/ui/form/field.tsx';
import { useLoaded } from '#client/ui/use-loaded.ts';
import { isQuietMinute, minuteOf } from '#domain/reminder/times.ts';
import { SettingForm } from '../setting-form.tsx';
import { SettingSwitch } from '../setting-switch.tsx';
import styles from '../settings.module.css';
import { LoadState, SettingsSection } from '../settings-section.tsx';
import { zoneName } from '../zone/zone-name.ts';
import { Channels } from './channels.tsx';

export function RemindersSection() {
  const zone = useZone();
  const { value, failure, reload, replace } = useLoaded(loadReminders);
  const lastChange = useRef(Promise.resolve());
  /** One change at a time: each response contains all settings, so an older one must not arrive last. */
  function change(payload: RemindersChange): Promise<void> {
    const saved = lastChange.current.then(async () => {
      const next = await changeReminders(payload);
      replace(() => next);
    });
    lastChange.current = saved.catch(() => undefined);
    return saved;
  }
  return (
    <SettingsSection
      id="reminders"
      title="Reminders"
      intro={`When and where Sprig tells you what your plants need. Times are in ${zoneName(zone.name)}.`}
    >
      {value ? (
        <>
          <WhenToRemind state={value} change={change} />
          <Channels state={value} change={change} onTested={reload} />
        </>
      ) : (
        <LoadState name="reminders" failure={failure} onRetry={() => void reload()} />
      )}
    </SettingsSection>
  );
}

function WhenToRemind({
  state,
  change,
}: {
  state: Reminders;
  change: (payload: RemindersChange) => Promise<void>;
}) {
  const quietHintId = useId();
  return (
    <>
      <div className={styles.group}>
        <SettingSwitch
          label="Daily digest"
          isOn={state.digest_enabled}
          onChange={(digest_enabled) => change({ digest_enabled })}
        >
          One message a day with the plants that are due.
        </SettingSwitch>
        <SettingForm
          label="Time of the digest"
          saved={{ time: state.digest_time }}
          check={missingTimes}
          onSave={({ time }) => change({ digest_time: time })}
        >
          {(field) => {
            const isQuiet = state.digest_enabled && isInQuietHours(field('time').value, state);
            return (
              <>
                <Field
                  label="Time of the digest"
                  type="time"
                  aria-describedby={isQuiet ? quietHintId : undefined}
                  {...field('time')}
                />
                {isQuiet && (
                  <p id={quietHintId} className={styles.quiet}>
                    This time is in the quiet hours. The digest is sent at their end instead.
                  </p>
                )}
              </>
            );
          }}
        </SettingForm>
      </div>
      <div className={styles.group}>
        <SettingSwitch
          label="Alerts"
          isOn={state.alerts_enabled}
          onChange={(alerts_enabled) => change({ alerts_enabled })}
        >
          When a sensor is silent for a day, automatic watering is locked, a pump failed, or a plant
          is in critical health.
        </SettingSwitch>
      </div>
      <div className={styles.group}>
        <h3>Quiet hours</h3>
        <SettingForm
          label="Quiet hours"
          saved={{ from: state.quiet_from, to: state.quiet_to }}
          check={missingTimes}
          onSave={({ from, to }) => change({ quiet_from: from, quiet_to: to })}
        >
          {(field) => (
            <>
              <div className={styles.fields}>
                <Field label="From" type="time" {...field('from')} />
                <Field label="To" type="time" {...field('to')} />
              </div>
              <p className={styles.quiet}>
                Nothing is sent between these times. With the same time twice there are no quiet
                hours.
              </p>
            </>
          )}
        </SettingForm>
      </div>
    </>
  );
}

/** False for an empty time. */
function isInQuietHours(time: string, { quiet_from, quiet_to }: Reminders): boolean {
  const quiet = { quietFromMinute: minuteOf(quiet_from), quietToMinute: minuteOf(quiet_to) };
  return isQuietMinute(quiet, minuteOf(time));
}

function missingTimes<Name extends string>(
  values: Record<Name, string>,
): Partial<Record<Name, string>> {
  const errors: Partial<Record<Name, string>> = {};
  for (const name in values) if (values[name] === '') errors[name] = 'Enter a time';
  return errors;
}
