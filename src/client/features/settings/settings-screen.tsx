import { useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { PageTitle } from '#client/ui/layout/frame.tsx';
import { DevicesPanel, devicesIntro } from '../account/devices/devices-panel.tsx';
import { noParams } from '../dashboard/unsaved-guard.tsx';
import { CalendarSection } from './calendar/calendar-section.tsx';
import { type EmailResult, ProfileSection } from './profile/profile-section.tsx';
import { RemindersSection } from './reminders/reminders-section.tsx';
import styles from './settings.module.css';
import { SettingsSection } from './settings-section.tsx';
import { ZoneSection } from './zone/zone-section.tsx';

/** The settings of the account. Each is saved separately. */
export function SettingsScreen({
  emailResult,
  onDismissEmailResult,
}: {
  emailResult: EmailResult | undefined;
  onDismissEmailResult: () => void;
}) {
  return (
    <>
      <PageTitle title="Settings" subtitle="Your account, its reminders and its devices" />
      <div className={styles.sections}>
        <ProfileSection emailResult={emailResult} onDismissResult={onDismissEmailResult} />
        <ZoneSection />
        <RemindersSection />
        <DevicesSection />
        <CalendarSection />
      </div>
    </>
  );
}

function DevicesSection() {
  const body = useRef<HTMLDivElement>(null);
  const { devices } = useSearch({ from: '/dashboard' });
  return (
    <SettingsSection id="devices" title="Devices" intro={devicesIntro}>
      <div ref={body} tabIndex={-1} className={styles.body}>
        <DevicesPanel
          onFocusLost={() => body.current?.focus()}
          openedBy={noParams}
          isBehindSheet={devices === 1}
        />
      </div>
    </SettingsSection>
  );
}
