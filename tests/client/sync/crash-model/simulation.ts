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
  readonly effects = new EffectLog();
  readonly checks = new RequestChecks(this.effects);
  readonly rowChecks = new RowChecks(this.effects);
  readonly shownChecks = new ShownChecks(this.effects);
  readonly faults: Faults;
  readonly clocks: DeviceClocks;
  readonly server: ModelServer;
  /** Requests that reach the server after they failed on the device, and late announcements. */
  readonly delayed: (() => Promise<unknown>)[] = [];
  readonly live: LiveStreams;

  constructor(server: ModelServer, seed: number, schedule: number, crashes: CrashPlan) {
    this.server = server;
    this.random = seeded(seed, schedule);
    this.faults = new Faults(this.random, crashes);
    this.clocks = new DeviceClocks(seed, schedule);
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
