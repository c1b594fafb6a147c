import type { Range } from '#domain/plant/plant.ts';
import {
  judgedText,
  measureScales,
  measureText,
  positionOn,
  thresholdText,
  type Verdict,
  verdictOn,
} from '#domain/reading/optimal-range.ts';
import type { Measure } from '#domain/reading/reading.ts';
import styles from './latest-tile.module.css';

const signs: Record<Verdict, string> = { 'In range': '✓', 'Too low': '↓', 'Too high': '↑' };

interface LatestTileProps {
  measure: Measure;
  /** Null when the sensor did not report it. */
  value: number | null;
  range: Range;
}

/** The latest value of one measure, its verdict, and its position on a scale with the optimal range. */
export function LatestTile({ measure, value, range }: LatestTileProps) {
  const verdict = value === null ? null : verdictOn(value, range);
  return (
    <li className={styles.tile} data-verdict={verdict ?? 'unknown'}>
      <p className={styles.name}>{measureScales[measure].name}</p>
      {/* A missing value is shown as 0 (spec section 8); the verdict says that it was not reported. */}
      <p className={styles.value}>
        {value === null ? measureText(measure, 0) : judgedText(measure, value, range)}
      </p>
      <VerdictMark verdict={verdict} />
      <OptimalBar measure={measure} value={value} range={range} />
    </li>
  );
}

function VerdictMark({ verdict }: { verdict: Verdict | null }) {
  if (verdict === null) return <p className={styles.verdict}>Not reported</p>;
  return (
    <p className={styles.verdict}>
      <span aria-hidden>{signs[verdict]}</span> <span>{verdict}</span>
    </p>
  );
}

/** The optimal zone on the measure's scale with a marker for the value; a value off the scale is marked at its end. */
function OptimalBar({ measure, value, range }: LatestTileProps) {
  const { bar } = measureScales[measure];
  const from = positionOn(bar, range.min);
  const to = positionOn(bar, range.max);
  return (
    <div className={styles.optimal}>
      <div className={styles.bar} aria-hidden>
        <div
          className={styles.zone}
          style={{ left: `${from}%`, width: `${Math.max(0, to - from)}%` }}
        />
        {value !== null && (
          <div className={styles.marker} style={{ left: `${positionOn(bar, value)}%` }} />
        )}
      </div>
      <p>
        Optimal <span>{thresholdText(measure, range)}</span>
      </p>
    </div>
  );
}
