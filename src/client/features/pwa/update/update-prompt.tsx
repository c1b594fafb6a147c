import { StrictMode, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { Button } from '#client/ui/form/button.tsx';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import { activateUpdate } from './app-update.ts';
import { canReloadSafely, useCanReloadSafely } from './reload-safety.ts';

let root: Root | undefined;
let offers = 0;

/** Offers a new version in a React root of its own, so that the offer appears even when the app itself fails. */
export function showUpdatePrompt(): void {
  root ??= createRoot(document.body.appendChild(document.createElement('div')));
  offers += 1;
  root.render(
    <StrictMode>
      <UpdatePrompt key={offers} />
    </StrictMode>,
  );
}

function UpdatePrompt() {
  const [isOpen, setOpen] = useState(true);
  return isOpen && <Offer onLater={() => setOpen(false)} />;
}

/**
 * Never reloads automatically, and stays hidden while a reload would not be safe (reload-safety.ts). Polls the device's
 * database, so it is rendered only until it is answered.
 */
function Offer({ onLater }: { onLater: () => void }) {
  const isSafe = useCanReloadSafely();
  const [isUpdating, setUpdating] = useState(false);
  if (!isSafe) return null;
  async function accept(): Promise<void> {
    setUpdating(true);
    // The browser activates the new version when the old one has no more work, and then the page is reloaded.
    if (await canReloadSafely()) await activateUpdate();
    else setUpdating(false);
  }
  return (
    <Prompt kind="update" text="A new version of Sprig is ready.">
      <Button
        size="small"
        busyText={isUpdating ? 'Updating...' : null}
        onClick={() => void accept()}
      >
        Update
      </Button>
      <Button size="small" look="quiet" onClick={onLater}>
        Later
      </Button>
    </Prompt>
  );
}
