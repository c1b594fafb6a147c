import { Link, useLocation } from '@tanstack/react-router';
import { Heart, Link2, Sparkles } from 'lucide-react';
import { buttonClass } from '#client/ui/form/button.tsx';
import styles from './coming-soon.module.css';
import { SiteFrame } from './site-frame.tsx';

const expectations = [
  {
    Icon: Sparkles,
    name: 'Enhanced Features',
    text: 'More to read and to do than this page offers today.',
  },
  {
    Icon: Link2,
    name: 'Seamless Integration',
    text: 'It will fit in with the plants and devices you already have here.',
  },
  {
    Icon: Heart,
    name: 'User-Focused Design',
    text: 'Clear, quick and calm, made for the people who use it.',
  },
] as const;

/** The placeholder for pages that do not exist yet. */
export function ComingSoon() {
  const title = useLocation({ select: ({ pathname }) => pathTitle(pathname) });
  return (
    <SiteFrame title={`${title} · Sprig`}>
      <div className={styles.page}>
        <p className={styles.label}>Coming Soon</p>
        <h1>{title}</h1>
        <p className={styles.intro}>We are still growing this page. Please look in again later.</p>
        <section className={styles.panel} aria-labelledby="expectations">
          <h2 id="expectations">What to Expect</h2>
          <ul>
            {expectations.map(({ Icon, name, text }) => (
              <li key={name}>
                <Icon aria-hidden size={22} />
                <div>
                  <h3>{name}</h3>
                  <p>{text}</p>
                </div>
              </li>
            ))}
          </ul>
        </section>
        <Link to="/" className={buttonClass({ size: 'large' })}>
          Return to Home
        </Link>
      </div>
    </SiteFrame>
  );
}

/** The last segment of a path in title case, e.g. 'Help Center' for /help-center. */
export function pathTitle(pathname: string): string {
  const segment = pathname.split('/').filter(Boolean).at(-1) ?? '';
  return segment
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
}
