import { useRef, useState } from 'react';
import { announce } from '#client/ui/feedback/live-region.tsx';
import { Button } from '#client/ui/form/button.tsx';
import styles from './copy-text.module.css';

const outcomes = { copied: 'Copied', selected: 'Selected' } as const;

/** A text to carry elsewhere. Where the browser does not copy for us, it is left selected for the person to copy. */
export function CopyText({
  name,
  text,
  onCopied,
}: {
  name: string;
  text: string;
  onCopied: () => void;
}) {
  const code = useRef<HTMLElement>(null);
  const [outcome, setOutcome] = useState<keyof typeof outcomes | null>(null);

  async function copy(): Promise<void> {
    // The same words again would not be read out again.
    announce('');
    if (code.current) getSelection()?.selectAllChildren(code.current);
    const isCopied = await copied(text);
    setOutcome(isCopied ? 'copied' : 'selected');
    announce(isCopied ? `${name} copied` : `${name} selected, not copied`);
    if (isCopied) onCopied();
  }

  return (
    <div className={styles.box}>
      <code ref={code} className={styles.text}>
        {text}
      </code>
      <Button
        look="quiet"
        size="small"
        aria-label={`${outcome ? outcomes[outcome] : 'Copy'} ${name.toLowerCase()}`}
        onClick={() => void copy()}
      >
        {outcome ? outcomes[outcome] : 'Copy'}
      </Button>
    </div>
  );
}

/** Over plain http a page has no clipboard; the older way copies what is selected. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
