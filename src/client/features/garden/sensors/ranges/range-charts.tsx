import { Download, Droplet } from 'lucide-react';
import { useZone } from '#client/session/current.tsx';
import { Banner, TryAgain } from '#client/ui/feedback/banner.tsx';
import { Button } from '#client/ui/form/button.tsx';
import { formatMoment } from '#domain/dates.ts';
import type { Plant } from '#domain/plant/plant.ts';
import { type BucketSeries, isEmptySeries } from '#domain/reading/bucket-series.ts';
import { type RangeName, ranges } from '#domain/reading/ranges.ts';
import { seriesCsv } from '#domain/reading/series-csv.ts';
import { fileNamePart } from '#domain/text.ts';
import tab from '../sensor-tab.module.css';
import styles from './range-charts.module.css';
import { RangeFigures } from './range-figures.tsx';
import { RangeTable } from './range-table.tsx';
import { useSeries } from './use-series.ts';

interface RangeChartsProps {
  plant: Pick<Plant, 'id' | 'nickname' | 'thresholds'>;
  range: RangeName;
  /** Changes with the plant's readings. */
  readingsRev: number;
}

/** The charts of a range, from what is stored on the device, or why there are none. */
export function RangeCharts({ plant, range, readingsRev }: RangeChartsProps) {
  const zone = useZone();
  const [state, retry] = useSeries(plant.id, range, readingsRev);
  if (state.type === 'loading') {
    return (
      <p className={`${tab.skeleton} ${styles.loading}`} role="status">
        Loading readings...
      </p>
    );
  }
  if (state.type === 'offline') {
    return (
      <Banner look="info">
        <p>This range is not on this device yet.</p>
        <p>It is loaded as soon as the server can be reached.</p>
      </Banner>
    );
  }
  if (state.type === 'failed') {
    return (
      <Banner look="error">
        <p>The readings could not be loaded.</p>
        <TryAgain onClick={retry} />
      </Banner>
    );
  }
  const { series, fetchedAt, isBehind } = state;
  return (
    <>
      {isBehind && (
        <p className={styles.behind} role="status">
          {`As of ${formatMoment(fetchedAt, 'dateTime', zone)}; newer readings could not be loaded.`}
        </p>
      )}
      {isEmptySeries(series) ? (
        <Banner look="info">
          <p>No data in this range</p>
        </Banner>
      ) : (
        <Loaded series={series} range={range} plant={plant} />
      )}
    </>
  );
}

function Loaded({
  series,
  range,
  plant: { nickname, thresholds },
}: Pick<RangeChartsProps, 'range' | 'plant'> & { series: BucketSeries }) {
  function download(): void {
    const day = series.start.slice(0, 10);
    const parts = ['sprig', fileNamePart(nickname), range, 'from', day].filter(Boolean);
    downloadText(`${parts.join('-')}.csv`, 'text/csv', seriesCsv(series));
  }
  return (
    <>
      <RangeFigures series={series} range={range} thresholds={thresholds} />
      <p className={tab.legend}>
        <span>
          <span className={tab.band} aria-hidden /> Optimal range
        </span>
        <span>
          <span className={styles.mean} aria-hidden /> Mean
        </span>
        <span>
          <span className={styles.spread} aria-hidden /> Lowest to highest
        </span>
        <span>
          <Droplet aria-hidden size={14} /> Watered
        </span>
      </p>
      <div className={styles.actions}>
        <Button look="quiet" size="small" onClick={download}>
          <Download aria-hidden size={16} /> Download CSV
        </Button>
        <RangeTable
          series={series}
          caption={`Readings of the ${ranges[range].heading.toLowerCase()}`}
        />
      </div>
    </>
  );
}

/** Downloads a text as a file. */
function downloadText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Revoked later, because the browser reads the URL only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
