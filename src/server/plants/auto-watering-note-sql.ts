import { autoWateringNote } from '#domain/watering/auto-watering-note.ts';
import { type WaitReason, wateringLimits } from '#domain/watering/rule.ts';

const exampleMs = 7 * 3_600_000;
const [beforeAge = '', afterAge = ''] = note({ why: 'stale', ageMs: exampleMs }).split('7 h');

/**
 * The note of plant p with its latest reading r. The last decision's own, unless the device has been silent since:
 * then nobody decided, and silence is the reason.
 */
export function noteSql(now: string): string {
  const age = `extract(epoch FROM ${now}::timestamptz - r.ts)`;
  return `CASE WHEN NOT p.auto_watering_enabled THEN NULL
    WHEN p.device_id IS NULL THEN ${quoted(note({ why: 'no-device' }))}
    WHEN p.soil_humidity_threshold_min IS NULL THEN ${quoted(note({ why: 'no-minimum' }))}
    WHEN r.ts IS NULL THEN ${quoted(note({ why: 'no-reading' }))}
    WHEN ${age} > ${wateringLimits.freshMs / 1000} THEN ${quoted(beforeAge)} || ${ageSql(age)} || ${quoted(afterAge)}
    ELSE p.auto_watering_note END`;
}

/** As ageInWords says it. */
function ageSql(seconds: string): string {
  return `CASE WHEN ${seconds} < 3600 THEN floor(${seconds} / 60) || ' min'
    WHEN ${seconds} < 172800 THEN floor(${seconds} / 3600) || ' h'
    ELSE floor(${seconds} / 86400) || ' days' END`;
}

function note(reason: WaitReason): string {
  return autoWateringNote({ kind: 'wait', reason }) ?? '';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
