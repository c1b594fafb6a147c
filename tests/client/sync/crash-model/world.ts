import { type Random, seeded } from '../../../support/seeded.ts';
import { Ledger } from './ledger.ts';
import type { Lane } from './model-server.ts';

export interface ModelAccount {
  email: string;
  userId: string;
}

/** When contexts end: by chance, or at one counted gate; never in a dry run. */
export type CrashPlan = { at: number } | 'by chance' | 'never';

export interface LateRequest {
  deliver: () => Promise<unknown>;
}

/** All that devices of one schedule share: a clock, chance, the server, and the book of what happened. */
export class World {
  readonly random: Random;
  readonly ledger: Ledger;
  /** Requests that their senders have given up, but the network has not. */
  readonly late: LateRequest[] = [];
  /** Gates passed so far. */
  steps = 0;
  /** From now on nothing goes wrong any more. */
  isCalm = false;
  readonly lane: Lane;
  private readonly crashes: CrashPlan;

  constructor(lane: Lane, seed: number, schedule: number, crashes: CrashPlan) {
    this.lane = lane;
    this.crashes = crashes;
    this.random = seeded(seed, schedule);
    this.ledger = new Ledger();
  }

  get now(): number {
    return this.lane.now;
  }

  pass(ms: number): void {
    this.lane.now += Math.max(1, Math.round(ms));
  }

  /** Whether the context that stands at this gate ends here. */
  crashesHere(): boolean {
    if (this.isCalm) return false;
    this.steps += 1;
    if (this.crashes === 'by chance') return this.random.chance(0.015);
    return this.crashes !== 'never' && this.steps === this.crashes.at;
  }

  async deliverLate(): Promise<void> {
    await this.late.shift()?.deliver();
  }
}
