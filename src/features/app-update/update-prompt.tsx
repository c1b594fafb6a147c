import { useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { acceptUpdate, onUpdateWaiting } from './service-worker.ts';
import styles from './update-prompt.module.css';

/** Offers a new version once it is on the device; nothing reloads by itself. */
export function UpdatePrompt() {
  const [isWaiting, setWaiting] = useState(false);
  // The service worker is outside of React and tells by event.
  useEffect(() => onUpdateWaiting(() => setWaiting(true)), []);
  if (!isWaiting) return null;
  return (
    <div className={styles.prompt} role="status">
      <p>A new version of Sprig is ready.</p>
      <Button size="small" onClick={acceptUpdate}>
        Update
      </Button>
      <Button size="small" look="quiet" onClick={() => setWaiting(false)}>
        Later
      </Button>
    </div>
  );
}
