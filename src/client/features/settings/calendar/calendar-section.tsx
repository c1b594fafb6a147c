import { useRef, useState } from 'react';
import {
  type Calendar,
  type CalendarUrls,
  loadCalendar,
  renewCalendar,
  revokeCalendar,
  setEventPerPlant,
} from '#client/session/settings/calendar.ts';
import { focusIfLost, rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { ConfirmDiscard } from '#client/ui/overlay/dialog.tsx';
import { useLoaded } from '#client/ui/use-loaded.ts';
import { ConfirmLeaveUncopied, noParams, useUnsavedGuard } from '../../dashboard/unsaved-guard.tsx';
import { mayHaveSucceeded } from '../failure-text.ts';
import { SaveNote, useSaving } from '../save-note.tsx';
import { SettingSwitch } from '../setting-switch.tsx';
import styles from '../settings.module.css';
import { LoadState, SettingsSection } from '../settings-section.tsx';
import { CalendarFacts, FetchHints, UrlBox } from './calendar-facts.tsx';

const intro =
  'An overview of the next 60 days in your calendar app. It is not a reminder: calendar apps fetch it late and drop its alarms.';

const mayBeReplaced = 'No answer. The address may not work any more: make a new one.';
const mayBeRemoved = 'No answer. The calendar may be removed already: try again.';

export function CalendarSection() {
  const { value, failure, reload, replace } = useLoaded(loadCalendar);
  return (
    <SettingsSection id="calendar" title="Calendar" intro={intro}>
      {value ? (
        <Feed calendar={value} onChange={replace} />
      ) : (
        <LoadState name="the calendar" failure={failure} onRetry={() => void reload()} />
      )}
    </SettingsSection>
  );
}

function Feed({
  calendar,
  onChange,
}: {
  calendar: Calendar;
  onChange: (change: (known: Calendar) => Calendar) => void;
}) {
  const body = useRef<HTMLDivElement>(null);
  const [urls, setUrls] = useState<CalendarUrls | null>(null);
  const [isUncopied, setUncopied] = useState(false);
  // After leaving during the request, nobody would see the new URL.
  const [isRenewing, setRenewing] = useState(false);
  const leaving = useUnsavedGuard(isUncopied || isRenewing, noParams, 'uncopied');
  const [question, setQuestion] = useState<'renew' | 'revoke' | null>(null);
  const { state, save, reset } = useSaving();
  const exists = calendar.createdAt !== null;
  const isBusy = state.type === 'saving';

  async function renew(): Promise<void> {
    setQuestion(null);
    const isDone = await save(async () => {
      // Another browser may have created a feed meanwhile. Its URL must not be replaced without asking the person.
      const current = exists ? null : await loadCalendar();
      if (current !== null && current.createdAt !== null) return onChange(() => current);
      setRenewing(true);
      const request = renewCalendar().finally(() => setRenewing(false));
      const made = await request.catch((error: Error) => {
        if (!exists || !mayHaveSucceeded(error)) throw error;
        removeUrls();
        throw new Error(mayBeReplaced);
      });
      setUrls(made.urls);
      setUncopied(true);
      onChange(() => made.calendar);
    });
    if (isDone) reset();
    // The focus may be lost: the button for creating disappears, and the dialog returns the focus to a disabled button.
    if (isDone || exists) focusIfLost(body.current);
  }
  function removeUrls(): void {
    setUrls(null);
    setUncopied(false);
  }
  async function revoke(): Promise<void> {
    const moveFocus = rememberFocus();
    setQuestion(null);
    await save(async () => {
      await revokeCalendar().catch((error: Error) => {
        if (!mayHaveSucceeded(error)) throw error;
        removeUrls();
        throw new Error(mayBeRemoved);
      });
      removeUrls();
      onChange((known) => ({ ...known, createdAt: null, fetchedAt: null }));
    });
    moveFocus(body.current);
  }

  return (
    <div ref={body} tabIndex={-1} className={styles.body}>
      {urls && <UrlBox key={urls.https} urls={urls} onCopied={() => setUncopied(false)} />}
      {exists && <CalendarFacts calendar={calendar} />}
      {exists && (
        <SettingSwitch
          label="One event per plant"
          isOn={calendar.isPerPlant}
          disabled={isBusy}
          onChange={async (wanted) => {
            // The rest of the response may be older than what the buttons below have changed meanwhile.
            const { isPerPlant } = await setEventPerPlant(wanted);
            onChange((known) => ({ ...known, isPerPlant }));
          }}
        >
          Otherwise one event per day, with all plants of that day.
        </SettingSwitch>
      )}
      <div className={styles.result}>
        {exists ? (
          <>
            <Button look="quiet" disabled={isBusy} onClick={() => setQuestion('renew')}>
              New address
            </Button>
            <Button look="quiet" disabled={isBusy} onClick={() => setQuestion('revoke')}>
              Remove calendar
            </Button>
          </>
        ) : (
          <Button busyText={isBusy ? 'Creating...' : null} onClick={() => void renew()}>
            Create calendar
          </Button>
        )}
        <SaveNote state={state} savedText="The calendar is removed" />
      </div>
      <FetchHints />
      <ConfirmLeaveUncopied question={leaving.question} what="address" />
      {question === 'renew' && (
        <ConfirmDiscard
          title="Make a new address?"
          description="The present address stops working at once: every calendar app needs the new one."
          closesOnBack
          keep={['Keep the address', () => setQuestion(null)]}
          discard={['Make a new address', () => void renew()]}
        />
      )}
      {question === 'revoke' && (
        <ConfirmDiscard
          title="Remove the calendar?"
          description="Its address stops working at once. Your calendar app keeps the events until you unsubscribe there."
          closesOnBack
          keep={['Keep it', () => setQuestion(null)]}
          discard={['Remove it', () => void revoke()]}
        />
      )}
    </div>
  );
}
