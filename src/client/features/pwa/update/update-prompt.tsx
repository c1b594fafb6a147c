import { StrictMode, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { Button } from '#client/ui/form/button.tsx';
import { Prompt } from '#client/ui/overlay/prompt.tsx';
import { nothingToLose } from './nothing-to-lose.ts';
import { startUpdate } from './start-update.ts';
import { useNothingToLose } from './use-nothing-to-lose.ts';

let place: Root | undefined;
let offers = 0;

/** Offers a new version beside the app, in a tree of its own: it must be there even where the app fails. */
export function showUpdatePrompt(): void {
  place ??= createRoot(document.body.appendChild(document.createElement('div')));
  offers += 1;
  place.render(
    <StrictMode>
      <UpdatePrompt key={offers} />
    </StrictMode>,
  );
}

/** Nothing reloads by itself, and nothing is asked over a form that somebody fills in or while a change is sent. */
function UpdatePrompt() {
  const [isOpen, setOpen] = useState(true);
  const mayAsk = useNothingToLose();
  if (!isOpen || !mayAsk) return null;
  async function accept(): Promise<void> {
    if (await nothingToLose()) await startUpdate();
  }
  return (
    <Prompt text="A new version of Sprig is ready.">
      <Button size="small" onClick={() => void accept()}>
        Update
      </Button>
      <Button size="small" look="quiet" onClick={() => setOpen(false)}>
        Later
      </Button>
    </Prompt>
  );
}
