import { Share } from 'lucide-react';
import { Button } from '#client/ui/form/button.tsx';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import styles from './install-invitation.module.css';
import type { InstallOffer } from './install-offer.ts';

interface InstallInvitationProps {
  offer: InstallOffer | 'by hand';
  onAnswer: () => void;
}

/** Asks once; whatever the answer, it is the last word. */
export function InstallInvitation({ offer, onAnswer }: InstallInvitationProps) {
  if (offer === 'by hand') {
    return (
      <Prompt text={<ByHand />}>
        <Button size="small" look="quiet" onClick={onAnswer}>
          Got it
        </Button>
      </Prompt>
    );
  }
  return (
    <Prompt text="Install Sprig: it opens like any app, with or without a network.">
      <Button size="small" onClick={() => void ask(offer).then(onAnswer)}>
        Install
      </Button>
      <Button size="small" look="quiet" onClick={onAnswer}>
        Not now
      </Button>
    </Prompt>
  );
}

/** A browser may refuse, as when it was asked before; asking again would not change its mind. */
async function ask(offer: InstallOffer): Promise<void> {
  await offer.prompt().catch((error: Error) => console.warn('Not installed:', error.message));
}

function ByHand() {
  return (
    <>
      To have Sprig on your home screen, tap{' '}
      <Share className={styles.share} aria-hidden size={18} /> Share, then Add to Home Screen.
    </>
  );
}
