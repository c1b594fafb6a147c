import { CircleAlert } from 'lucide-react';
import { useState } from 'react';
import { useZone } from '#client/session/current.tsx';
import {
  type Channel,
  type ChannelReport,
  type Reminders,
  type RemindersChange,
  testReminder,
} from '#client/session/settings/reminders.ts';
import { Button } from '#client/ui/form/button.tsx';
import { formatMoment } from '#domain/dates.ts';
import type { TimeZone } from '#domain/zone.ts';
import { SaveNote, useSaving } from '../save-note.tsx';
import styles from '../settings.module.css';

export interface ChannelsProps {
  state: Reminders;
  change: (payload: RemindersChange) => Promise<void>;
  /** Loads the reminders again after a test, or after this device was subscribed or unsubscribed. */
  onTested: () => Promise<void>;
}

const names: Record<Channel, string> = {
  push: 'push message',
  mail: 'email',
  ntfy: 'ntfy message',
};
const sentTexts: Record<Channel, string> = {
  push: 'Sent. It arrives within a minute.',
  mail: 'Sent. Look into your inbox.',
  ntfy: 'Sent. It arrives within a minute.',
};

/** A button that sends a test message, and the result of the channel's last message. */
export function ChannelTest({
  channel,
  state,
  onTested,
}: {
  channel: Channel;
  state: ChannelReport;
  onTested: () => Promise<void>;
}) {
  const zone = useZone();
  const test = useSaving();
  const [warning, setWarning] = useState<string | null>(null);
  const isBusy = test.state.type === 'saving';
  async function send(): Promise<void> {
    await test.save(async () => setWarning(await testReminder(channel)));
    await onTested();
  }
  return (
    <div className={styles.row}>
      <div className={styles.facts}>
        <p className={styles.quiet}>{acceptedText(state, zone)}</p>
        {state.problem !== null && test.state.type !== 'failed' && (
          <p className={styles.problem}>
            <CircleAlert aria-hidden size={16} /> <span>{state.problem}</span>
          </p>
        )}
        <SaveNote state={test.state} savedText={warning ?? sentTexts[channel]} />
      </div>
      <Button
        look="quiet"
        size="small"
        aria-label={isBusy ? undefined : `Send me one now: ${names[channel]}`}
        busyText={isBusy ? 'Sending...' : null}
        onClick={() => void send()}
      >
        Send me one now
      </Button>
    </div>
  );
}

function acceptedText({ accepted_at }: ChannelReport, zone: TimeZone): string {
  if (accepted_at === null) return 'Nothing sent yet';
  const moment = Date.parse(accepted_at);
  return `Last accepted ${formatMoment(moment, 'day', zone)}, ${formatMoment(moment, 'time', zone)}`;
}
