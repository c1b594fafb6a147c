import { useZone } from '#client/session/current.tsx';
import type { Calendar, CalendarUrls } from '#client/session/settings/calendar.ts';
import { focusOnMount } from '#client/ui/focus.ts';
import { buttonClass } from '#client/ui/form/button.tsx';
import { CopyText } from '#client/ui/form/copy-text.tsx';
import { formatMoment } from '#domain/dates.ts';
import styles from '../settings.module.css';

/**
 * The URLs of a new feed. They cannot be shown again, because the server stores only a hash. `onCopied` is called when
 * one of them was copied or opened in the calendar app.
 */
export function UrlBox({
  urls: { https, webcal },
  onCopied,
}: {
  urls: CalendarUrls;
  onCopied: () => void;
}) {
  return (
    <section className={styles.secret} aria-labelledby="calendar-ready">
      <h3 id="calendar-ready" ref={focusOnMount} tabIndex={-1}>
        Your calendar is ready
      </h3>
      <p>
        <strong>Copy its address now: it will not be shown again.</strong> If you lose it, make a
        new one. Whoever has it can read which plants are due.
      </p>
      <p>For Google Calendar and Outlook, “from URL” or “from web”:</p>
      <CopyText name="https address" text={https} onCopied={onCopied} />
      <p>For Apple Calendar, and apps that subscribe by a tap:</p>
      <CopyText name="webcal address" text={webcal} onCopied={onCopied} />
      <a
        href={webcal}
        className={`${buttonClass({ look: 'quiet' })} ${styles.action}`}
        onClick={onCopied}
      >
        Open in the calendar app
      </a>
    </section>
  );
}

/** When the feed was created, and when a calendar app last requested it. */
export function CalendarFacts({ calendar: { createdAt, fetchedAt } }: { calendar: Calendar }) {
  const zone = useZone();
  const moment = (ms: number) =>
    `${formatMoment(ms, 'day', zone)}, ${formatMoment(ms, 'time', zone)}`;
  return (
    <div>
      {createdAt !== null && <p>{`Created ${formatMoment(createdAt, 'date', zone)}`}</p>}
      <p className={styles.quiet}>
        {fetchedAt === null ? 'Not fetched yet' : `Last fetched ${moment(fetchedAt)}`}
      </p>
    </div>
  );
}

const hints = [
  [
    'Google',
    'fetches it every 8 to 24 hours, from its own servers: an address of a home network never works there.',
  ],
  [
    'Apple',
    'fetches it as often as the subscription says: hourly on a Mac, often daily on an iPhone.',
  ],
  ['Outlook', 'fetches it about every 3 hours.'],
] as const;

/** Says how late calendar apps show a change. */
export function FetchHints() {
  return (
    <ul className={styles.hints}>
      {hints.map(([app, text]) => (
        <li key={app}>
          <strong>{app}</strong> {text}
        </li>
      ))}
    </ul>
  );
}
