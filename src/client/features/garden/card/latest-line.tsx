import { useObservable } from 'dexie-react-hooks';
import {
  Droplet,
  Lightbulb,
  type LucideIcon,
  Thermometer,
  TriangleAlert,
  Wind,
} from 'lucide-react';
import { useDb, useZone } from '#client/session/current.tsx';
import { snapshotAtStart } from '#client/session/garden-snapshot.ts';
import { watchLatest } from '#client/store/readings.ts';
import { useNow } from '#client/ui/use-now.ts';
import { formatMoment } from '#domain/dates.ts';
import { measureScales, measureText } from '#domain/reading/optimal-range.ts';
import { type Measure, silenceText } from '#domain/reading/reading.ts';
import styles from './latest-line.module.css';

const icons: Record<Measure, LucideIcon> = {
  soil_humidity: Droplet,
  temperature: Thermometer,
  air_humidity: Wind,
  luminance: Lightbulb,
};

/** In the order of the card: humidity of the soil and temperature first. */
const shownMeasures = Object.keys(icons) as Measure[];

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
  return (
    <ul
      className={styles.line}
      aria-label="Latest readings"
      title={`Reported ${formatMoment(reportedAt, 'dateTime', zone)}`}
    >
      {shownMeasures.map((measure) => (
        <LatestValue key={measure} measure={measure} value={latest[`latest_${measure}`]} />
      ))}
      {silence && (
        <li className={styles.silence}>
          <TriangleAlert aria-hidden size={14} />
          <span>{silence}</span>
        </li>
      )}
    </ul>
  );
}

function LatestValue({ measure, value }: { measure: Measure; value: number | null }) {
  if (value === null) return null;
  const Icon = icons[measure];
  const text = measureText(measure, value);
  return (
    <li aria-label={`${measureScales[measure].name} ${text}`}>
      <Icon aria-hidden size={14} />
      <span>{text}</span>
    </li>
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
