import { Link } from '@tanstack/react-router';
import { Droplets, Gauge, HeartPulse, Sprout } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { buttonClass } from '#client/ui/form/button.tsx';
import { SiteFrame } from '../site/site-frame.tsx';
import { Hero } from './hero.tsx';
import styles from './landing.module.css';

export function Landing() {
  return (
    <SiteFrame title="Sprig · Smart Plant Care">
      <Hero />
      <FeatureCards />
      <HowItWorks />
      <CallToAction />
    </SiteFrame>
  );
}

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

function FeatureCards() {
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

function HowItWorks() {
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

function CallToAction() {
  return (
    <section className={styles.callToAction}>
      <div className={styles.panel}>
        <h2>Your plants are waiting</h2>
        <p>Add the first one today. The sensor can come later.</p>
        <Link to="/signup" className={buttonClass({ size: 'large' })}>
          Create Your Account
        </Link>
      </div>
    </section>
  );
}

/** A section with an id that links can point to. */
function Section({
  id,
  title,
  intro,
  children,
}: {
  id: string;
  title: string;
  intro: string;
  children: ReactNode;
}) {
  const headingId = useId();
  return (
    <section id={id} className={styles.section} aria-labelledby={headingId}>
      <div className={styles.inner}>
        <h2 id={headingId}>{title}</h2>
        <p className={styles.intro}>{intro}</p>
        {children}
      </div>
    </section>
  );
}
