import { maxClockLeadMs } from '#server/journal/past-time.ts';
import { type Random, seeded } from '../../../support/seeded.ts';
import { EffectLog } from './checks/effect-log.ts';
import { RequestChecks } from './checks/request-checks.ts';
import { RowChecks } from './checks/row-checks.ts';
import { ShownChecks } from './checks/shown-checks.ts';
import { DeviceClocks } from './device-clocks.ts';
import { type CrashPlan, Faults } from './faults.ts';
import { LiveStreams } from './live-streams.ts';
import type { ModelServer } from './model-server.ts';

export interface ModelAccount {
  email: string;
  userId: string;
}

/** What all devices of one schedule share: clock, random numbers, server, faults and the log of effects. */
export class Simulation {
  readonly random: Random;
  readonly clocks: DeviceClocks;
  readonly effects: EffectLog;
  readonly checks: RequestChecks;
  readonly rowChecks: RowChecks;
  readonly shownChecks: ShownChecks;
  readonly faults: Faults;
  readonly server: ModelServer;
  /** Requests that reach the server after they failed on the device, and late announcements. */
  readonly delayed: (() => Promise<unknown>)[] = [];
  readonly live: LiveStreams;
  /** The ids of all photos, in the order in which people added them. */
  readonly photoIds: string[] = [];

  constructor(server: ModelServer, seed: number, schedule: number, crashes: CrashPlan) {
    this.server = server;
    this.random = seeded(seed, schedule);
    this.faults = new Faults(this.random, crashes);
    this.clocks = new DeviceClocks(seed, schedule);
    // A device whose clock was set wrong may send times that are ahead: the offset of its clock is known only as exactly
    // as a slow response allows.
    this.effects = new EffectLog(this.clocks.areSet ? maxClockLeadMs : 0);
    this.checks = new RequestChecks(this.effects);
    this.rowChecks = new RowChecks(this.effects);
    this.shownChecks = new ShownChecks(this.effects);
    this.live = new LiveStreams(this.faults, this.delayed);
  }

  /** The clock of the server, ms. */
  get now(): number {
    return this.server.now;
  }

  /** The clock of a device, ms. */
  timeOf(device: { name: string }): number {
    return this.now + this.clocks.errorOf(device);
  }

  advance(ms: number): void {
    this.server.now += Math.max(1, Math.round(ms));
  }

  async deliverDelayed(): Promise<void> {
    await this.delayed.shift()?.();
  }
}
