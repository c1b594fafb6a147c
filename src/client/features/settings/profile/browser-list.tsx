import { useRef } from 'react';
import { useZone } from '#client/session/current.tsx';
import {
  type SignedInBrowser,
  signOutBrowser,
  signOutOtherBrowsers,
} from '#client/session/settings/profile.ts';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
import { type MoveFocus, rememberFocus } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import type { useLoaded } from '#client/ui/use-loaded.ts';
import { formatMoment } from '#domain/dates.ts';
import { SaveNote, useSaving } from '../save-note.tsx';
import styles from '../settings.module.css';
import { LoadState } from '../settings-section.tsx';

/** The browsers that are signed in, with buttons to sign them out. */
export function BrowserList({
  browsers,
}: {
  browsers: ReturnType<typeof useLoaded<SignedInBrowser[]>>;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const others = useSaving();
  const { value, failure, reload, replace } = browsers;

  async function signOutOthers(): Promise<void> {
    const moveFocus = rememberFocus();
    if (!(await others.save(signOutOtherBrowsers))) return;
    replace((known) => known.filter(({ isThisOne }) => isThisOne));
    moveFocus(heading.current);
  }

  return (
    <div className={styles.group}>
      <h3 ref={heading} tabIndex={-1}>
        Signed in
      </h3>
      {value ? (
        <ul aria-label="Browsers that are signed in" className={styles.list}>
          {value.map((browser) => (
            <BrowserItem
              key={browser.key}
              browser={browser}
              onSignedOut={(moveFocus) => {
                replace((known) => known.filter(({ key }) => key !== browser.key));
                moveFocus(heading.current);
                announce(`${browser.name} is signed out`);
              }}
            />
          ))}
        </ul>
      ) : (
        <LoadState name="sessions" failure={failure} onRetry={() => void reload()} />
      )}
      {value?.some(({ isThisOne }) => !isThisOne) && (
        <Button
          look="quiet"
          className={styles.action}
          busyText={others.state.type === 'saving' ? 'Signing out...' : null}
          onClick={() => void signOutOthers()}
        >
          Sign out everywhere else
        </Button>
      )}
      <SaveNote state={others.state} savedText="All other browsers are signed out" />
    </div>
  );
}

function BrowserItem({
  browser,
  onSignedOut,
}: {
  browser: SignedInBrowser;
  /** The pressed button disappears. Call `moveFocus` with the element that gets the focus. */
  onSignedOut: (moveFocus: MoveFocus) => void;
}) {
  const zone = useZone();
  const { state, save } = useSaving();
  const since = `signed in ${formatMoment(browser.signedInAt, 'day', zone)}`;
  async function signOut(): Promise<void> {
    const moveFocus = rememberFocus();
    if (await save(() => signOutBrowser(browser))) onSignedOut(moveFocus);
  }
  return (
    <li className={styles.row}>
      <div className={styles.facts}>
        <p>{`${browser.name}, ${since}`}</p>
        {browser.isThisOne && <p className={styles.mark}>This device</p>}
        <SaveNote state={state} />
      </div>
      {!browser.isThisOne && (
        <Button
          look="quiet"
          size="small"
          aria-label={`Sign out ${browser.name}, ${since}`}
          busyText={state.type === 'saving' ? 'Signing out...' : null}
          onClick={() => void signOut()}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}
