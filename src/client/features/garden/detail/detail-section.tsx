import type { ReactNode } from 'react';
import styles from './detail-section.module.css';

export function DetailSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** A section of named facts; facts without a value are left out. */
export function FactList({
  title,
  facts,
}: {
  title: string;
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <DetailSection title={title}>
      <dl className={styles.facts}>
        {facts.map(
          ([name, value]) =>
            value !== '' &&
            value !== null && (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
    </DetailSection>
  );
}
