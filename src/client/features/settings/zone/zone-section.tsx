import { useZone } from '#client/session/current.tsx';
import { changeTimeZone } from '#client/session/settings/profile.ts';
import { SelectField } from '#client/ui/form/field.tsx';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment } from '#domain/dates.ts';
import { timeZoneOf } from '#domain/zone.ts';
import { SettingForm } from '../setting-form.tsx';
import styles from '../settings.module.css';
import { SettingsSection } from '../settings-section.tsx';
import { zoneOptions } from './device-zone.ts';
import { ZoneOffer } from './zone-offer.tsx';

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
                It is {formatMoment(now, 'dateTime', timeZoneOf(select.value || null))} there.
              </p>
            </>
          );
        }}
      </SettingForm>
    </SettingsSection>
  );
}
