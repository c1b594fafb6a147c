import { useRef, useState } from 'react';
import { announce } from '../feedback/screen-reader.tsx';
import { Button } from './button.tsx';
import styles from './copy-text.module.css';

const results = { copied: 'Copied', selected: 'Selected' } as const;

/**
 * A text with a Copy button. Where the browser denies copying, the text is left selected. `onCopied` is called after the
 * button has copied the text, or a person by hand.
 */
export function CopyText({
  name,
  text,
  onCopied,
}: {
  name: string;
  text: string;
  onCopied?: () => void;
}) {
  const code = useRef<HTMLElement>(null);
  const [result, setResult] = useState<keyof typeof results | null>(null);

  async function copy(): Promise<void> {
    if (code.current) getSelection()?.selectAllChildren(code.current);
    const isCopied = await copyToClipboard(text);
    setResult(isCopied ? 'copied' : 'selected');
    announce(isCopied ? `${name} copied` : `${name} selected, not copied`);
    if (isCopied) onCopied?.();
  }

  /** For a text that is selected and copied by hand. */
  function onCopyEvent(): void {
    if (getSelection()?.toString().includes(text)) onCopied?.();
  }

  return (
    <div className={styles.box}>
      <code ref={code} className={styles.text} onCopy={onCopyEvent}>
        {text}
      </code>
      <Button
        look="quiet"
        size="small"
        aria-label={`${result ? results[result] : 'Copy'} ${name.charAt(0).toLowerCase()}${name.slice(1)}`}
        onClick={() => void copy()}
      >
        {result ? results[result] : 'Copy'}
      </Button>
    </div>
  );
}

/** Over plain http there is no clipboard API, but execCommand still copies the selection. */
async function copyToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
}
