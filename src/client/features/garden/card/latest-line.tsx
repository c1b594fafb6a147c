import { useObservable } from 'dexie-react-hooks';
import { Droplet, Lightbulb, Thermometer, TriangleAlert, Wind } from 'lucide-react';
import { useDb, useZone } from '#client/session/current.tsx';
import { snapshotAtStart } from '#client/session/garden-snapshot.ts';
import { watchLatest } from '#client/store/readings.ts';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment } from '#domain/dates.ts';
import { silenceText } from '#domain/reading/reading.ts';
import { numberText } from '#domain/text.ts';
import styles from './latest-line.module.css';

/**
 * A plant's latest readings in two columns; nothing for a plant that never reported. While they are read from the
 * device's database, their height is reserved for a plant with a device, so that the card does not change while somebody
 * taps it.
 */
export function LatestLine({ plantKey, hasDevice }: { plantKey: string; hasDevice: boolean }) {
  const db = useDb();
  const zone = useZone();
  const now = useNow();
  const atStart = snapshotAtStart(db.name)?.latest[plantKey];
  const row = useObservable(
    () => watchLatest(db, plantKey),
    [db, plantKey],
    atStart === undefined ? 'loading' : atStart,
  );
  if (row === 'loading') return hasDevice && <LoadingLine />;
  const latest = row?.values;
  if (!latest?.last_reading_time) return null;
  const reportedAt = Date.parse(latest.last_reading_time);
  const silence = silenceText(reportedAt, now);
  const values = [
    ['Soil humidity', Droplet, latest.latest_soil_humidity, '%'],
    ['Temperature', Thermometer, latest.latest_temperature, '°C'],
    ['Air humidity', Wind, latest.latest_air_humidity, '%'],
    ['Light', Lightbulb, latest.latest_luminance, 'lux'],
  ] as const;
  return (
    <ul
      className={styles.line}
      aria-label="Latest readings"
      title={`Reported ${formatMoment(reportedAt, 'dateTime', zone)}`}
    >
      {values.map(
        ([name, Icon, value, unit]) =>
          value !== null && (
            <li key={name} aria-label={`${name} ${numberText(value)} ${unit}`}>
              <Icon aria-hidden size={14} />
              <span>{`${numberText(value)} ${unit}`}</span>
            </li>
          ),
      )}
      {silence && (
        <li className={styles.silence}>
          <TriangleAlert aria-hidden size={14} />
          <span>{silence}</span>
        </li>
      )}
    </ul>
  );
}

function LoadingLine() {
  return (
    <ul className={styles.line} aria-hidden>
      <li>&nbsp;</li>
      <li>&nbsp;</li>
      <li>&nbsp;</li>
    </ul>
  );
}
