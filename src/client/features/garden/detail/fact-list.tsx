import type { ReactNode } from 'react';
import { DetailSection } from './detail-section.tsx';
import styles from './fact-list.module.css';

/** A titled list of facts, each with its name; facts without a value are left out. */
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
