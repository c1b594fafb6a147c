import { Link } from '@tanstack/react-router';
import { Check, Droplets } from 'lucide-react';
import { buttonClass } from '#client/ui/form/button.tsx';
import styles from './hero.module.css';
import windowsill from './pictures/hero.svg';

export function Hero() {
  return (
    <section className={styles.hero}>
      <div className={styles.columns}>
        <div className={styles.words}>
          <h1>Smart Plant Care at Your Fingertips</h1>
          <p>
            A small WiFi sensor listens to the soil. Sprig shows you what it hears, reminds you when
            it is time, and waters on its own if you like.
          </p>
          <div className={styles.actions}>
            <Link to="/signup" className={buttonClass({ size: 'large' })}>
              Get Started
            </Link>
            {/* biome-ignore lint/a11y/noAmbiguousAnchorText: the spec demands this text; the header names the same target. */}
            <a href="#how-it-works" className={buttonClass({ look: 'quiet', size: 'large' })}>
              Learn More
            </a>
          </div>
        </div>
        <div className={styles.scene}>
          <img
            src={windowsill}
            alt="Potted plants on a sunny windowsill; a white sensor stands in one of the pots."
            width="1260"
            height="750"
            fetchPriority="high"
          />
          <MoistureCard />
        </div>
      </div>
    </section>
  );
}

/** A sample reading. The numbers are made up. */
function MoistureCard() {
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
