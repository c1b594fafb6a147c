import { Link } from '@tanstack/react-router';
import { buttonClass } from '#client/ui/form/button.tsx';
import styles from './call-to-action.module.css';

export function CallToAction() {
  return (
    <section className={styles.section}>
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
