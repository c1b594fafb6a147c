import { Link } from '@tanstack/react-router';
import { buttonClass } from '#client/ui/form/button.tsx';
import styles from './hero.module.css';
import { MoistureCard } from './moisture-card.tsx';
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
            {/* biome-ignore lint/a11y/noAmbiguousAnchorText: the words are the product's; what they lead to is named in the header. */}
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
