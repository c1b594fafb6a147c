import { type PeriodicJob, periodicJob } from '../jobs/job.ts';
import { type CheckJobOptions, checkDueAccounts } from './check/check-job.ts';
import { createSender, type SenderOptions } from './sender.ts';

export interface ReminderJobOptions extends CheckJobOptions, SenderOptions {
  /** To be called after emails were queued. */
  emailQueued: () => void;
}

const checkPauseMs = 15_000;
const sendPauseMs = 5_000;
const stopGraceMs = 5_000;

/**
 * Sends reminders: checks due accounts, queues their messages, and sends what is queued. Any number of processes may
 * run it. When it is stopped, requests in progress have 5 s to finish.
 */
export function createReminderJob(options: ReminderJobOptions): Omit<PeriodicJob, 'wake'> {
  const sender = createSender(options);
  const sending = periodicJob(sendPauseMs, sender.run);
  const checking = periodicJob(checkPauseMs, async (stopping) => {
    if (!(await checkDueAccounts(options, stopping))) return;
    sending.wake();
    options.emailQueued();
  });
  return {
    start: () => {
      checking.start();
      sending.start();
    },
    stop: async () => {
      const timer = setTimeout(sender.abort, stopGraceMs);
      await Promise.all([checking.stop(), sending.stop()]);
      await sender.whenIdle();
      clearTimeout(timer);
    },
  };
}
