import type { Plant, Range } from '../plant/plant.ts';
import { exactText, numberText, rounded } from '../text.ts';
import type { Measure } from './reading.ts';

interface MeasureScale {
  name: string;
  unit: string;
  /** Scale of the optimal-range bar (spec section 9). */
  bar: Range;
  /** Key of its thresholds in `Plant`. */
  threshold: keyof Plant['thresholds'];
}

export const measureScales: Readonly<Record<Measure, MeasureScale>> = {
  soil_humidity: {
    name: 'Soil humidity',
    unit: '%',
    bar: { min: 0, max: 100 },
    threshold: 'soilHumidity',
  },
  air_humidity: {
    name: 'Air humidity',
    unit: '%',
    bar: { min: 0, max: 100 },
    threshold: 'airHumidity',
  },
  temperature: {
    name: 'Temperature',
    unit: '°C',
    bar: { min: 0, max: 50 },
    threshold: 'temperature',
  },
  luminance: {
    name: 'Light',
    unit: 'lux',
    bar: { min: 0, max: 20_000 },
    threshold: 'luminance',
  },
};

/** The result of comparing a value with the optimal range. Both ends belong to the range. */
export type Verdict = 'In range' | 'Too low' | 'Too high';

export function verdictOn(value: number, { min, max }: Range): Verdict {
  if (value < min) return 'Too low';
  return value > max ? 'Too high' : 'In range';
}

/** Position of a value on a scale, 0–100 %, clamped. */
export function positionOn(scale: Range, value: number): number {
  const share = (value - scale.min) / (scale.max - scale.min);
  return Math.min(1, Math.max(0, share)) * 100;
}

/** A measured value with its unit, e.g. '41.5 %' or '12,300 lux'. */
export function measureText(measure: Measure, value: number): string {
  return `${numberText(value)} ${measureScales[measure].unit}`;
}

/** Like measureText, but not rounded if the verdict on the rounded value is another one than that on the value. */
export function judgedText(measure: Measure, value: number, range: Range): string {
  const isSame = verdictOn(rounded(value), range) === verdictOn(value, range);
  return isSame
    ? measureText(measure, value)
    : `${exactText(value)} ${measureScales[measure].unit}`;
}

/**
 * An optimal range with its unit, e.g. '22.25–24.75 °C' or '1,500–12,000 lux'. Not rounded, so that it does not
 * contradict the verdict on a value.
 */
export function thresholdText(measure: Measure, { min, max }: Range): string {
  return `${exactText(min)}–${exactText(max)} ${measureScales[measure].unit}`;
}

/** A mean with the lowest and highest value, e.g. '41.5 % (38–45)'; only the mean if these two are equal. */
export function spreadText(measure: Measure, value: number, low: number, high: number): string {
  const text = measureText(measure, value);
  return low === high ? text : `${text} (${numberText(low)}–${numberText(high)})`;
}
