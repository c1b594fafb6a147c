import styles from './how-it-works.module.css';
import { Section } from './section.tsx';

const steps = [
  {
    name: 'Connect Device',
    text: 'Put the sensor into the soil, join it to your WiFi and enter its number with the plant.',
  },
  {
    name: 'Monitor Plants',
    text: 'Readings arrive by themselves. Say what the plant likes, and Sprig tells you when something is off.',
  },
  {
    name: 'Automate Care',
    text: 'Switch on automatic watering where you want it. Water Now is always there for the rest.',
  },
] as const;

export function HowItWorks() {
  return (
    <div className={styles.band}>
      <Section
        id="how-it-works"
        title="How It Works"
        intro="Three steps from a dry pot to a plant that looks after itself. No device yet? Start with the schedule and add one later."
      >
        <ol className={styles.steps}>
          {steps.map(({ name, text }, index) => (
            <li key={name}>
              <span className={styles.number} aria-hidden>
                {index + 1}
              </span>
              <div>
                <h3>{name}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </Section>
    </div>
  );
}
