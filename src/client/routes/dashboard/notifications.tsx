import { createFileRoute, Link } from '@tanstack/react-router';
import { BellPlus, BellRing, Clock, Leaf } from 'lucide-react';
import { PageTitle } from '#client/ui/layout/frame.tsx';
import { Preview } from '#client/ui/layout/preview.tsx';
import styles from './-dashboard.module.css';

export const Route = createFileRoute('/dashboard/notifications')({ component: Notifications });

const cards = [
  {
    name: 'Smart Alerts',
    text: 'Hear at once when a reading leaves what your plant likes.',
    Icon: BellRing,
  },
  {
    name: 'Watering Reminders',
    text: 'A word in time before a plant needs its water.',
    Icon: Clock,
  },
  {
    name: 'Growth Milestones',
    text: 'Celebrate a first month, a first year and every new leaf between.',
    Icon: Leaf,
  },
];

function Notifications() {
  return (
    <>
      <PageTitle title="Notifications" subtitle="News of your plants as it happens" />
      <Preview title="Notifications Coming Soon" Icon={BellPlus} cards={cards}>
        <p>Real-time plant notifications will come in the next update.</p>
        <p>
          <strong>Estimated launch: Coming next update</strong>
        </p>
      </Preview>
      <p className={styles.reminders}>
        Reminders of the plants that are due, and alerts, are under{' '}
        <Link to="/dashboard/settings" hash="reminders">
          Settings → Reminders
        </Link>
        .
      </p>
    </>
  );
}
