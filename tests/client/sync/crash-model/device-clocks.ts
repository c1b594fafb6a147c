import { type Random, seeded } from '../../../support/seeded.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** Errors of a clock, ms: slightly wrong, another time zone, a mistyped date. */
const errorSizes = [4_000, 70_000, 10 * minuteMs, 3 * hourMs, 30 * dayMs, 400 * dayMs];

/**
 * How far the clocks of the devices are ahead of the server's. In a quarter of the schedules they are changed at random
 * times; in the others they are right. They have a random generator of their own, so that they do not change the
 * random numbers of all other choices of a schedule.
 */
export class DeviceClocks {
  readonly areSet: boolean;
  private readonly random: Random;
  private readonly errors = new Map<string, number>();

  constructor(seed: number, schedule: number) {
    this.random = seeded(seed, -2 - schedule);
    this.areSet = this.random.chance(0.25);
  }

  /** ms; negative when the device's clock is behind. */
  errorOf(device: { name: string }): number {
    return this.errors.get(device.name) ?? 0;
  }

  /** With this probability, sets the clock of a device to the right time or to a wrong one. */
  setRandomly(device: { name: string }, probability: number): void {
    if (!this.areSet || !this.random.chance(probability)) return;
    const size = this.random.pick(errorSizes);
    this.errors.set(device.name, this.random.pick([0, size, -size]));
  }
}
