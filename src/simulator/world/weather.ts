import { dayMs, hourMs } from '#domain/time.ts';
import { randomFor } from './random.ts';

/** A place, indoors or outdoors. */
export interface Place {
  seed: number;
  outdoor: boolean;
  /** lux, at noon under a clear sky */
  brightnessLux: number;
  /** °C, mean of day and night */
  baseTemperature: number;
  /** %, mean of day and night */
  baseAirHumidity: number;
}

interface Weather {
  /** °C */
  temperature: number;
  /** % */
  airHumidity: number;
  /** lux */
  luminance: number;
  /** Share of a clear noon's light: 0 at night, 1 at most. */
  sunshine: number;
}

/** The demo's plants are in UTC+7, the default time zone of accounts. */
const zoneOffsetMs = 7 * hourMs;

/** How far daytime and weather move temperature (°C) and air humidity (%), indoors and outdoors. */
const swings = {
  indoor: { dayWarmth: 1.5, skyWarmth: 1, dayHumidity: 4, skyHumidity: 4 },
  outdoor: { dayWarmth: 4, skyWarmth: 1.5, dayHumidity: 9, skyHumidity: 5 },
};

/**
 * The weather at a moment (ms), with day, night and changing clouds. The same place and moment always give the same
 * weather.
 */
export function weatherAt(place: Place, moment: number): Weather {
  const { seed, outdoor, brightnessLux, baseTemperature, baseAirHumidity } = place;
  const hour = ((moment + zoneOffsetMs) % dayMs) / hourMs;
  const sky = smoothNoise(seed, (moment + zoneOffsetMs) / dayMs - 0.5);
  const clouds = smoothNoise(seed + 1, moment / hourMs);
  const swing = swings[outdoor ? 'outdoor' : 'indoor'];
  const warmest = Math.cos(((hour - 14) / 24) * 2 * Math.PI);
  const sunshine = sunHeight(hour) * (0.75 + 0.17 * sky + 0.08 * clouds);
  return {
    temperature: baseTemperature + swing.dayWarmth * warmest + swing.skyWarmth * sky,
    airHumidity: baseAirHumidity - swing.dayHumidity * warmest - swing.skyHumidity * sky,
    luminance: brightnessLux * sunshine,
    sunshine,
  };
}

/** 0 from sunset at six to sunrise at six, 1 at noon. */
function sunHeight(hour: number): number {
  return Math.max(0, Math.sin(((hour - 6) / 12) * Math.PI));
}

/** Interpolates smoothly between random values in [-1, 1] at integer positions. */
function smoothNoise(seed: number, position: number): number {
  const whole = Math.floor(position);
  const part = position - whole;
  const from = 2 * randomFor(seed, whole)() - 1;
  const to = 2 * randomFor(seed, whole + 1)() - 1;
  return from + (to - from) * part * part * (3 - 2 * part);
}
