import { type ShouldBlockFn, useBlocker } from '@tanstack/react-router';
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { getSession } from '#client/session/session.ts';
import { ConfirmDiscard, isClosedByBack } from '#client/ui/overlay/dialog.tsx';
import type { DashboardSearch } from './dashboard-search.ts';

/** The search params that open the dialog with the guarded input. Empty if the input is on the screen itself. */
export type GuardedParams = readonly (keyof DashboardSearch)[];

/** For input on the screen itself. */
export const noParams: GuardedParams = [];

interface Question {
  leave: () => void;
  stay: () => void;
}

type Guard = (leaving: Parameters<ShouldBlockFn>[0]) => boolean;

/** What would be lost: typed input, or a text that is shown only once and was not copied. */
type Unsaved = 'input' | 'uncopied';

/** The mounted guards of input. Each returns whether it would block. If several would, only the first one asks. */
const inputGuards = new Set<Guard>();

/**
 * Blocks leaving the screen, or the dialog that `params` open, while it has unsaved input; `question` is set while the
 * person has to decide. `release` stops blocking. All input together has one question; each text that was not copied
 * has its own. Several questions are asked in the order in which their guards were mounted. The end of a session is
 * never blocked, since there is no screen to stay on.
 */
export function useUnsavedGuard(
  isDirty: boolean,
  params: GuardedParams,
  unsaved: Unsaved = 'input',
): { question: Question | null; release: () => void } {
  const isReleased = useRef(false);
  // `useBlocker` replaces a changed callback only after the paint, and a navigation may come before that. So the
  // callback stays the same and reads what was rendered last.
  const renderedDirty = useRef(isDirty);
  useLayoutEffect(() => {
    renderedDirty.current = isDirty;
    return () => {
      renderedDirty.current = false;
    };
  }, [isDirty]);
  const blocks = useCallback(
    () => renderedDirty.current && !isReleased.current && getSession().status === 'signed-in',
    [],
  );
  const guard = useCallback<Guard>(
    ({ action, current, next }) => {
      // The router asks the blockers in the order in which they were set, so this one may be asked first.
      if (action === 'BACK' && isClosedByBack()) return false;
      const isLeft =
        next.pathname !== current.pathname ||
        params.some((name) => paramOf(next, name) !== paramOf(current, name));
      return isLeft && blocks();
    },
    [blocks, params],
  );
  useEffect(() => {
    if (unsaved !== 'input') return;
    inputGuards.add(guard);
    return () => void inputGuards.delete(guard);
  }, [guard, unsaved]);
  const blocksNavigation = useCallback<ShouldBlockFn>(
    (leaving) =>
      unsaved === 'input' ? [...inputGuards].find((one) => one(leaving)) === guard : guard(leaving),
    [guard, unsaved],
  );
  const blocker = useBlocker({
    shouldBlockFn: blocksNavigation,
    enableBeforeUnload: blocks,
    withResolver: true,
  });
  return {
    question: blocker.status === 'blocked' ? { leave: blocker.proceed, stay: blocker.reset } : null,
    release: () => {
      isReleased.current = true;
    },
  };
}

function paramOf({ search }: { search: object }, name: keyof DashboardSearch): unknown {
  return Reflect.get(search, name);
}

/** Asks whether to discard unsaved input of a form. `question` comes from the form's guard. */
export function ConfirmDiscardChanges({ question }: { question: Question | null }) {
  return (
    question && (
      <ConfirmDiscard
        title="Discard changes?"
        description="What you typed has not been saved."
        keep={['Keep editing', question.stay]}
        discard={['Discard', question.leave]}
      />
    )
  );
}

/** Asks whether to leave before a text that is shown only once was copied. `what`: a word for the text. */
export function ConfirmLeaveUncopied({
  question,
  what,
}: {
  question: Question | null;
  what: string;
}) {
  return (
    question && (
      <ConfirmDiscard
        title="Leave without copying?"
        description={`The ${what} has not been copied and will not be shown again.`}
        keep={[`Back to the ${what}`, question.stay]}
        discard={['Leave', question.leave]}
      />
    )
  );
}
