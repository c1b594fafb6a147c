import { Share } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import styles from './install-invitation.module.css';
import type { InstallPromptEvent } from './install-prompt.ts';

interface InstallInvitationProps {
  prompt: InstallPromptEvent | 'manual';
  onAnswer: () => void;
}

/** Invites the person to install the app. Any answer is final: the invitation is not shown again. */
export function InstallInvitation({ prompt, onAnswer }: InstallInvitationProps) {
  if (prompt === 'manual') {
    return (
      <Prompt kind="install" text={<ManualSteps />}>
        <Button size="small" look="quiet" onClick={onAnswer}>
          Got it
        </Button>
      </Prompt>
    );
  }
  return (
    <Prompt kind="install" text="Install Sprig: it opens like any app, with or without a network.">
      <Button size="small" onClick={() => void showPrompt(prompt).then(onAnswer)}>
        Install
      </Button>
      <Button size="small" look="quiet" onClick={onAnswer}>
        Not now
      </Button>
    </Prompt>
  );
}

/** A browser may refuse to show the prompt, e.g. a second time. That is only logged, because a retry would not help. */
async function showPrompt(prompt: InstallPromptEvent): Promise<void> {
  await prompt.prompt().catch((error: Error) => console.warn('Not installed:', error.message));
}

function ManualSteps() {
  return (
    <>
      To have Sprig on your home screen, tap{' '}
      <Share className={styles.share} aria-hidden size={18} /> Share, then Add to Home Screen.
    </>
  );
}
