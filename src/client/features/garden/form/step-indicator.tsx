import { Check } from 'lucide-react';
import hidden from '#client/ui/feedback/screen-reader.module.css';
import styles from './step-indicator.module.css';
import { stepTitles } from './use-plant-form.ts';

/** The current step of the wizard; completed steps are ticked. */
export function StepIndicator({ current }: { current: number }) {
  return (
    <ol className={styles.steps} aria-label="Steps">
      {stepTitles.map((title, i) => (
        <li
          key={title}
          aria-current={i === current ? 'step' : undefined}
          data-done={i < current || undefined}
        >
          <span className={styles.number} aria-hidden>
            {i < current ? <Check size={16} /> : i + 1}
          </span>
          <span className={styles.name}>
            <span className={hidden.hidden}>
              {`Step ${i + 1} of ${stepTitles.length}${i < current ? ', done' : ''}: `}
            </span>
            {title}
          </span>
        </li>
      ))}
    </ol>
  );
}
