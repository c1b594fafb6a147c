import { useZone } from '#client/session/current.tsx';
import { changeTimeZone } from '#client/session/settings/profile.ts';
import { SelectField } from '#client/ui/form/field.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment } from '#domain/dates.ts';
import { timeZoneOf } from '#domain/zone.ts';
import { SettingForm } from '../setting-form.tsx';
import styles from '../settings.module.css';
import { SettingsSection } from '../settings-section.tsx';
import { zoneName } from './zone-name.ts';
import { deviceZoneName, ZoneOffer } from './zone-offer.tsx';

/** The time zone in which dates are shown and reminders are sent. */
export function ZoneSection() {
  const zone = useZone();
  const now = useNow();
  return (
    <SettingsSection
      id="zone"
      title="Time zone"
      intro="All dates, and the times of your reminders, follow it on every device."
    >
      <ZoneOffer />
      <SettingForm
        label="Time zone"
        saved={{ name: zone.name ?? '' }}
        onSave={({ name }) => changeTimeZone(name || null)}
      >
        {(field) => {
          const { error: _, ...select } = field('name');
          return (
            <>
              <SelectField label="Time zone" options={zoneOptions(zone.name)} {...select} />
              <p className={styles.quiet}>
                {`It is ${formatMoment(now, 'dateTime', timeZoneOf(select.value || null))} there.`}
              </p>
            </>
          );
        }}
      </SettingForm>
    </SettingsSection>
  );
}

/** The zones to choose from, with the default first. `chosen` is one of them even if this browser does not list it. */
function zoneOptions(chosen: string | null): [value: string, label: string][] {
  const listed = 'supportedValuesOf' in Intl ? Intl.supportedValuesOf('timeZone') : [];
  const names = new Set([...listed, 'UTC', deviceZoneName(), ...(chosen === null ? [] : [chosen])]);
  return [
    ['', `${zoneName(null)} (default)`],
    ...[...names].sort().map((name): [string, string] => [name, zoneName(name)]),
  ];
}
