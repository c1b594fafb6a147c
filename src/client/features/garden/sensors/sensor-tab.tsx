import { useObservable } from 'dexie-react-hooks';
import { Droplet } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useDb, useZone } from '#client/session/current.tsx';
import { watchWaterings } from '#client/store/outbox/waterings.ts';
import type { PlantReadings } from '#client/store/readings.ts';
import { Banner, TryAgain } from '#client/ui/feedback/banner.tsx';
import { Segments } from '#client/ui/form/segments.tsx';
import { formatMoment } from '#domain/dates.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { measureScales } from '#domain/reading/optimal-range.ts';
import { type RangeName, rangeNames, ranges } from '#domain/reading/ranges.ts';
import { measures } from '#domain/reading/reading.ts';
import { readingTrend } from '#domain/reading/trend.ts';
import { LatestTile } from './latest-tile.tsx';
import { RangeCharts } from './ranges/range-charts.tsx';
import styles from './sensor-tab.module.css';
import { TrendFigures } from './trend-figures.tsx';
import { useAreReadingsLoading, useReadings } from './use-readings.ts';

interface SensorTabProps {
  plant: Pick<Plant, 'id' | 'nickname' | 'thresholds'>;
}

/** The newest 24 readings, or a range by time. */
type Shown = 'latest' | RangeName;

const choices = [
  { name: 'latest' as const, short: 'Latest', long: 'Latest 24 readings' },
  ...rangeNames.map((name) => ({ name, short: ranges[name].short, long: ranges[name].long })),
];

/**
 * The Sensor Data tab of the plant's dialog: the latest values with their optimal ranges, and charts of the newest 24
 * readings or of a time range.
 */
export function SensorTab({ plant }: SensorTabProps) {
  const [readings, retry] = useReadings(plant.id);
  const [shown, show] = useState<Shown>('latest');
  const hasReported = readings.type === 'known' && readings.value?.latest.last_reading_time;
  const heading = shown === 'latest' ? 'Last 24 Hours' : ranges[shown].heading;
  return (
    <section className={styles.tab} aria-label={heading} aria-busy={readings.type === 'loading'}>
      <div className={styles.head}>
        <h3>{heading}</h3>
        {hasReported && (
          <Segments label="Time shown" options={choices} value={shown} onChange={show} />
        )}
      </div>
      {readings.type === 'loading' && <div className={styles.skeleton} />}
      {readings.type === 'failed' && (
        <Banner look="error">
          <p>The readings could not be loaded.</p>
          <TryAgain onClick={retry} />
        </Banner>
      )}
      {readings.type === 'known' && <Known readings={readings.value} plant={plant} shown={shown} />}
    </section>
  );
}

function Known({
  readings,
  plant,
  shown,
}: SensorTabProps & { readings: PlantReadings | null; shown: Shown }) {
  const db = useDb();
  const zone = useZone();
  const trend = useMemo(() => readings && readingTrend(readings.stored), [readings]);
  const waterings = useObservable(() => watchWaterings(db, plant.id), [db, plant.id]);
  const areLoading = useAreReadingsLoading(readings);
  if (!readings?.latest.last_reading_time || !trend) {
    return (
      <Banner look="info">
        <p>No sensor data available</p>
        <p>Readings appear here as soon as this plant&rsquo;s sensor reports.</p>
      </Banner>
    );
  }
  const { latest } = readings;
  const reportedAt = Date.parse(readings.latest.last_reading_time);
  return (
    <>
      <p
        className={styles.reported}
      >{`Latest reading ${formatMoment(reportedAt, 'dateTime', zone)}`}</p>
      <ul className={styles.tiles} aria-label="Latest readings">
        {measures.map((measure) => (
          <LatestTile
            key={measure}
            measure={measure}
            value={latest[`latest_${measure}`]}
            range={plant.thresholds[measureScales[measure].threshold]}
          />
        ))}
      </ul>
      {shown === 'latest' ? (
        <>
          <TrendFigures
            trend={trend}
            thresholds={plant.thresholds}
            waterings={waterings ?? none}
            areLoading={areLoading}
          />
          <p className={styles.legend}>
            <span>
              <span className={styles.band} aria-hidden /> Optimal range
            </span>
            <span>
              <Droplet aria-hidden size={14} /> Watered
            </span>
          </p>
        </>
      ) : (
        <RangeCharts key={shown} plant={plant} range={shown} readingsRev={readings.rev} />
      )}
    </>
  );
}

const none: number[] = [];
