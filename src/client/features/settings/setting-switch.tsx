import { type ReactNode, useId, useState } from 'react';
import { SaveNote, useSaving } from './save-note.tsx';
import styles from './settings.module.css';

/** A setting that is on or off, saved by a tap. If saving fails, it shows the stored value again. */
export function SettingSwitch({
  label,
  isOn,
  onChange,
  disabled,
  children,
}: {
  label: string;
  isOn: boolean;
  onChange: (isOn: boolean) => Promise<void>;
  disabled?: boolean;
  /** A sentence that explains the setting. */
  children?: ReactNode;
}) {
  const hintId = useId();
  const { state, save } = useSaving();
  // The new value is shown while it is being saved.
  const [wanted, setWanted] = useState<boolean | null>(null);

  async function change(next: boolean): Promise<void> {
    if (state.type === 'saving') return;
    setWanted(next);
    await save(() => onChange(next));
    setWanted(null);
  }

  return (
    <div className={styles.switch}>
      <label>
        <span>{label}</span>
        <input
          type="checkbox"
          role="switch"
          checked={wanted ?? isOn}
          aria-checked={wanted ?? isOn}
          disabled={disabled}
          aria-describedby={children ? hintId : undefined}
          onChange={(event) => void change(event.target.checked)}
        />
      </label>
      {children && (
        <p id={hintId} className={styles.quiet}>
          {children}
        </p>
      )}
      <SaveNote state={state} />
    </div>
  );
}
