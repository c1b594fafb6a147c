import { Droplets, Gauge, HeartPulse, Sprout } from 'lucide-react';
import styles from './feature-cards.module.css';
import { Section } from './section.tsx';

const features = [
  {
    Icon: Droplets,
    name: 'Smart Watering',
    text: 'By a schedule for each plant, with one tap, or on its own when the soil gets dry. It never pours without measure.',
  },
  {
    Icon: Gauge,
    name: 'Sensor Monitoring',
    text: 'Soil and air humidity, temperature and light, as they are now and as they went over the last day.',
  },
  {
    Icon: HeartPulse,
    name: 'Plant Health Tracking',
    text: 'Every reading is held against what the plant likes. You see who needs you before the leaves droop.',
  },
  {
    Icon: Sprout,
    name: 'Plant Management',
    text: 'All your plants with their needs in one place, on your phone too when there is no network.',
  },
] as const;

export function FeatureCards() {
  return (
    <Section
      id="features"
      title="Everything a plant would ask for"
      intro="Four things that keep leaves green, in one calm app."
    >
      <ul className={styles.cards}>
        {features.map(({ Icon, name, text }) => (
          <li key={name}>
            <Icon aria-hidden size={24} />
            <h3>{name}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
