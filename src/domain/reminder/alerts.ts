import { healthAt, type ServerHealth } from '../plant/health.ts';
import { unnamedPlant } from '../plant/plant.ts';
import { isSilent } from '../reading/reading.ts';
import { plural } from '../text.ts';
import { ageInWords, hourMs } from '../time.ts';
import { shortName } from './digest.ts';

/** In the order in which a message lists those of a plant. */
const alertTypes = ['locked', 'pump_failed', 'critical', 'silent'] as const;

export type AlertType = (typeof alertTypes)[number];

/** The data of a plant that alerts need. Times in ms. */
export interface WatchedPlant {
  id: string;
  nickname: string;
  hasDevice: boolean;
  lastReadingAt: number | null;
  /** When an edit attached its device, which did not send earlier readings; null: the plant was added with it. */
  attachedAt: number | null;
  /** As of the last reading. */
  health: ServerHealth;
  isLocked: boolean;
  /** Whether the newest command that was run has failed, and automatic watering was not unlocked since. */
  hasPumpFailed: boolean;
}

export interface Alert {
  type: AlertType;
  plant: { id: string; name: string };
  title: string;
  body: string;
}

/** Identifies an alert among those of an account, so that it is sent only once while its problem lasts. */
export function alertKey({ type, plant }: Pick<Alert, 'type' | 'plant'>): string {
  return `${type}:${plant.id}`;
}

/**
 * A problem that is over and occurs again within this time (ms) after it was reported is not reported again. Otherwise
 * readings near a threshold would cause one alert after another.
 */
export const noRepeatMs: Readonly<Record<AlertType, number>> = {
  silent: 0,
  locked: 0,
  pump_failed: 0,
  critical: 12 * hourMs,
};

/** The problems of a plant at `now` (ms). */
export function alertsOf(plant: WatchedPlant, now: number): Alert[] {
  const name = shortName(plant.nickname || unnamedPlant);
  return alertTypes.flatMap((type) => {
    const texts = textsByType[type](plant, name, now);
    if (!texts) return [];
    const [title, body] = texts;
    return [{ type, plant: { id: plant.id, name }, title, body }];
  });
}

type Texts = readonly [title: string, body: string];

/** Title and text of each alert; null if the plant does not have the problem at `now` (ms). */
const textsByType: Readonly<
  Record<AlertType, (plant: WatchedPlant, name: string, now: number) => Texts | null>
> = {
  locked: ({ isLocked }, name) =>
    isLocked
      ? [
          `${name} is no longer watered automatically`,
          'Three waterings had no effect. Check tank, pump, sensor and the device’s clock, then water by hand or edit the plant.',
        ]
      : null,
  pump_failed: ({ hasPumpFailed }, name) =>
    hasPumpFailed
      ? [
          `The pump of ${name} failed`,
          'Its device reported that it could not water. Check tank, pump and the device’s clock.',
        ]
      : null,
  critical: ({ health, lastReadingAt }, name, now) =>
    healthAt(health, lastReadingAt, now) === 'Critical'
      ? [
          `${name} is in a critical state`,
          'Its soil is far too dry, or at least two readings are outside the limits that you have set.',
        ]
      : null,
  silent: (plant, name, now) => {
    const silence = silenceBody(plant, now);
    return silence === null ? null : [`The sensor of ${name} is silent`, silence];
  },
};

/** Says that the device is silent; null if it is not, or if the plant was added with it and it has never reported. */
function silenceBody(plant: WatchedPlant, now: number): string | null {
  const { hasDevice, lastReadingAt, attachedAt } = plant;
  const hasReported = (lastReadingAt ?? 0) >= (attachedAt ?? 0);
  const since = hasReported ? lastReadingAt : attachedAt;
  if (!hasDevice || since === null || !isSilent(since, now)) return null;
  const age = ageInWords(now - since);
  return hasReported
    ? `Its last reading is ${age} old. Check its power, its network and its clock.`
    : `It was attached ${age} ago and has sent nothing yet. Check its power, its network, its clock and its ID.`;
}

const maxShown = 4;

/** Title and body of one message about these alerts. There must be at least one. */
export function alertTexts(alerts: readonly Alert[]): { title: string; body: string } {
  const [first] = alerts;
  if (first && alerts.length === 1) return { title: first.title, body: first.body };
  const shown = alerts.slice(0, maxShown).map(({ title }) => title);
  const hidden = alerts.length - shown.length;
  const lines = hidden > 0 ? [...shown, `and ${hidden} more`] : shown;
  return { title: `${plural(alerts.length, 'problem')} in your garden`, body: lines.join('\n') };
}
