import type { Random } from '../../../support/seeded.ts';

/** When engines crash: at random points, at the crash point with the number `at`, or never. */
export type CrashPlan = { at: number } | 'random' | 'never';

/** What goes wrong with one request. */
export type RequestFault =
  | 'request lost'
  | 'response lost'
  | 'request delayed'
  | 'server error'
  | 'server crash'
  | 'gateway error'
  | 'server timeout'
  | 'server busy'
  | 'too many requests'
  | 'too early'
  | 'captive portal';

/** What goes wrong with the announcement of a change. */
export type EventFault = 'lost' | 'doubled' | 'early' | 'late' | 'stream ended';

const eventFaults: readonly EventFault[] = ['lost', 'doubled', 'early', 'late', 'stream ended'];

/** A fault that is listed more often is more likely. */
const requestFaults: readonly RequestFault[] = [
  'request lost',
  'request lost',
  'response lost',
  'response lost',
  'response lost',
  'request delayed',
  'request delayed',
  'server error',
  'server crash',
  'gateway error',
  'server timeout',
  'server busy',
  'too many requests',
  'too early',
  'captive portal',
];

/** Makes every random decision about what fails, one method for each kind of thing that can fail. */
export class Faults {
  /** From now on nothing fails. */
  areOver = false;
  /** Most changes that are sent meanwhile fail. */
  isNetworkBad = false;
  /** How many crash points have been passed before the faults were over. */
  crashPoints = 0;
  private readonly random: Random;
  private readonly plan: CrashPlan;

  constructor(random: Random, plan: CrashPlan) {
    this.random = random;
    this.plan = plan;
  }

  /** Per crash point: whether the engine crashes here. */
  crashes(): boolean {
    if (this.areOver) return false;
    this.crashPoints += 1;
    if (this.plan === 'random') return this.random.chance(0.015);
    return this.plan !== 'never' && this.crashPoints === this.plan.at;
  }

  /** Per request. */
  ofRequest(isChange: boolean): RequestFault | null {
    if (this.areOver) return null;
    const changeFails = this.isNetworkBad ? 0.6 : 0.22;
    return this.random.chance(isChange ? changeFails : 0.06)
      ? this.random.pick(requestFaults)
      : null;
  }

  /** For a request during which the server fails: how many of its operations are executed before the failure. */
  executedBeforeFailure(operationCount: number): number {
    return this.random.below(operationCount + 1);
  }

  /** Per announcement of a change. */
  ofEvent(): EventFault | null {
    if (this.areOver) return null;
    return this.random.chance(0.4) ? this.random.pick(eventFaults) : null;
  }
}
