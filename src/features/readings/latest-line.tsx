import { useObservable } from 'dexie-react-hooks';
import { Droplet, Lightbulb, Thermometer, Wind } from 'lucide-react';
import { watchLatestReading } from '#data/readings.ts';
import { formatMoment } from '#domain/dates.ts';
import { useDb } from '#session/current.tsx';
import styles from './latest-line.module.css';

/** A plant's latest readings in one line; nothing for a plant that never reported. */
export function LatestLine({ plantKey }: { plantKey: string }) {
  const db = useDb();
  const latest = useObservable(() => watchLatestReading(db, plantKey), [db, plantKey]);
  if (!latest?.last_reading_time) return null;
  const values = [
    ['Soil humidity', Droplet, latest.latest_soil_humidity, '%'],
    ['Temperature', Thermometer, latest.latest_temperature, '°C'],
    ['Air humidity', Wind, latest.latest_air_humidity, '%'],
    ['Light', Lightbulb, latest.latest_luminance, 'lx'],
  ] as const;
  return (
    <ul
      className={styles.line}
      aria-label="Latest readings"
      title={`Reported ${formatMoment(Date.parse(latest.last_reading_time), 'dateTime')}`}
    >
      {values.map(
        ([name, Icon, value, unit]) =>
          value !== null && (
            <li key={name} aria-label={`${name} ${inWords(value)} ${unit}`}>
              <Icon aria-hidden size={14} />
              {inWords(value)} {unit}
            </li>
          ),
      )}
    </ul>
  );
}

function inWords(value: number): string {
  return new Intl.NumberFormat('en-US', {
    maximumFractionDigits: Math.abs(value) < 100 ? 1 : 0,
  }).format(value);
}
