import { type PeriodicJob, periodicJob } from '../jobs/periodic-job.ts';
import { type LookJobOptions, lookAtDueAccounts } from './look/look-job.ts';
import { createSender, type SenderOptions } from './sender.ts';

export interface ReminderJobOptions extends LookJobOptions, SenderOptions {
  /** To be called after emails were queued. */
  emailQueued: () => void;
}

const lookPauseMs = 15_000;
const sendPauseMs = 5_000;
const stopGraceMs = 5_000;

/**
 * Notifies people: one job looks at the accounts that are due and queues messages, another one sends them. Any number of
 * processes may run it. When stopped, it gives requests that are under way 5 s.
 */
export function createReminders(options: ReminderJobOptions): PeriodicJob {
  const sender = createSender(options);
  const sending = periodicJob(sendPauseMs, sender.run);
  const looking = periodicJob(lookPauseMs, async (stopping) => {
    if (!(await lookAtDueAccounts(options, stopping))) return;
    sending.wake();
    options.emailQueued();
  });
  return {
    start: () => {
      looking.start();
      sending.start();
    },
    wake: () => {
      looking.wake();
      sending.wake();
    },
    stop: async () => {
      const timer = setTimeout(sender.abort, stopGraceMs);
      await Promise.all([looking.stop(), sending.stop()]);
      await sender.settled();
      clearTimeout(timer);
    },
  };
}
