import { dayMs, hourMs, minuteMs } from '../time.ts';
import type { WaitReason, WateringDecision } from './rule.ts';

/** Why a plant was not watered, for its record; null when it was, or when automatic watering is off. */
export function autoWateringNote(decision: WateringDecision): string | null {
  if (decision.kind === 'water' || decision.reason.why === 'off') return null;
  return `Not watered: ${inWords(decision.reason)}`;
}

function inWords(reason: WaitReason): string {
  switch (reason.why) {
    case 'off':
      return 'automatic watering is off';
    case 'no-device':
      return 'no device is connected';
    case 'no-minimum':
      return 'no minimum of soil humidity is set';
    case 'no-reading':
      return 'there is no reading yet';
    case 'no-soil':
      return 'the last reading has no soil humidity';
    case 'out-of-range':
      return 'the last soil humidity cannot be true';
    case 'clock-ahead':
      return 'the sensor’s clock is ahead';
    case 'few-readings':
      return 'three readings are needed';
    case 'spread-readings':
      return 'the last three readings are more than 2 h apart';
    case 'stale':
      return `last reading is ${ageInWords(reason.ageMs)} old`;
    case 'moist':
      return 'soil humidity is not below the minimum';
    case 'under-way':
      return 'a watering is under way';
    case 'soaking':
      return 'the last water is still soaking in';
    case 'runs-used':
      return 'it was watered four times in 24 h';
    case 'water-used':
      return 'it had 600 ml in 24 h';
    case 'locked':
      return 'three waterings had no effect. Check tank, pump and sensor, then water by hand or edit the plant';
  }
}

/** The largest unit that is whole: '45 min', '7 h', '3 days'. */
export function ageInWords(ageMs: number): string {
  if (ageMs < hourMs) return `${Math.floor(ageMs / minuteMs)} min`;
  if (ageMs < 2 * dayMs) return `${Math.floor(ageMs / hourMs)} h`;
  return `${Math.floor(ageMs / dayMs)} days`;
}
