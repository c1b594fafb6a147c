import { Check, Droplets } from 'lucide-react';
import styles from './moisture-card.module.css';

/** A sample reading. The numbers are made up. */
export function MoistureCard() {
  return (
    <figure className={styles.card}>
      <figcaption>
        <Droplets aria-hidden size={18} /> Soil moisture
      </figcaption>
      <p className={styles.reading}>
        <strong>65%</strong>{' '}
        <span>
          <Check aria-hidden size={16} />
          Optimal
        </span>
      </p>
      <div className={styles.scale} aria-hidden>
        <span className={styles.range} />
        <span className={styles.marker} />
      </div>
      <p className={styles.note}>Sample reading, ideal 40–70%</p>
    </figure>
  );
}
