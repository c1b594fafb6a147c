import {
  clearStorageProblem,
  type StorageProblem,
  type StorageProblemLog,
} from '#client/store/storage-problem.ts';
import { Notice } from '#client/ui/feedback/notice.tsx';
import { Button } from '#client/ui/form/button.tsx';

const words: Record<StorageProblem, readonly [title: string, text: string]> = {
  updated: ['Sprig was updated in another tab', 'Reload to go on. Until then nothing new is kept.'],
  removed: [
    'Your plants are no longer on this device',
    'Another tab signed out or removed them. Reload to go on.',
  ],
  denied: [
    'This browser lets Sprig keep nothing',
    'Allow cookies for Sprig or leave private browsing, then reload.',
  ],
  blocked: ['Sprig waits for its other tabs', 'Close them to go on: they hold up an update.'],
  broken: ['Your plants cannot be read from this device', 'Reloading usually helps.'],
  full: [
    'This device is full: that was not saved',
    'Make some room, then do it again. All that you did before is kept.',
  ],
  unsaved: ['That was not saved', 'This device could not keep it. Please do it again.'],
};

/**
 * Shows a storage problem, because otherwise the person would not see that a change was not saved or that screens no
 * longer update. `log` belongs to the database with the problem. It is a prop, because the session may have ended before
 * this component is first rendered.
 */
export function StorageProblemNotice({
  problem,
  log,
}: {
  problem: StorageProblem;
  log: StorageProblemLog;
}) {
  const [title, text] = words[problem];
  const isTemporary = problem === 'full' || problem === 'unsaved';
  const action = isTemporary ? (
    <Button size="small" look="quiet" onClick={() => clearStorageProblem(log, problem)}>
      Dismiss
    </Button>
  ) : (
    <Button size="small" onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
  return (
    <Notice look="bad" title={title} actions={problem !== 'blocked' && action} isUrgent>
      <p>{text}</p>
    </Notice>
  );
}
