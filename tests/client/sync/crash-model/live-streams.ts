import type { LiveOptions, openLive } from '#client/sync/live/open-live.ts';
import type { Faults } from './faults.ts';
import type { ModelAccount } from './simulation.ts';

/** The live streams of all engines. Announcements are lost, repeated, early or late, and streams end. */
export class LiveStreams {
  private readonly streams = new Map<LiveOptions, ModelAccount>();
  private readonly faults: Faults;
  private readonly delayed: (() => Promise<unknown>)[];

  constructor(faults: Faults, delayed: (() => Promise<unknown>)[]) {
    this.faults = faults;
    this.delayed = delayed;
  }

  openFor(account: ModelAccount): typeof openLive {
    return (options) => {
      this.streams.set(options, account);
      options.signal.addEventListener('abort', () => this.streams.delete(options));
      options.onUpdate({ type: 'open' });
      return { retryNow: () => undefined };
    };
  }

  /** Executes a write of an account and announces it. */
  async announcing<T>(account: ModelAccount, execute: () => Promise<T>): Promise<T> {
    const fault = this.faults.ofEvent();
    if (fault === 'early') this.send(account);
    const result = await execute();
    if (fault === 'late') this.delayed.push(async () => this.send(account));
    if (fault === 'stream ended') this.end(account);
    if (fault === null || fault === 'doubled') this.send(account);
    if (fault === 'doubled') this.send(account);
    return result;
  }

  private send(account: ModelAccount): void {
    for (const [{ onUpdate }, owner] of this.streams) {
      if (owner === account) onUpdate({ type: 'change' });
    }
  }

  private end(account: ModelAccount): void {
    for (const [options, owner] of this.streams) {
      if (owner !== account) continue;
      this.streams.delete(options);
      options.onUpdate({ type: 'closed' });
    }
  }
}
