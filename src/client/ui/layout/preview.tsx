import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import styles from './preview.module.css';

/** A screen for a feature that does not exist yet: one card for each thing it will do. */
export function Preview({
  title,
  Icon,
  cards,
  children,
}: {
  title: string;
  Icon: LucideIcon;
  cards: readonly { name: string; text: string; Icon: LucideIcon }[];
  children: ReactNode;
}) {
  return (
    <section className={styles.preview}>
      <Icon aria-hidden className={styles.emblem} size={40} />
      <h2>{title}</h2>
      {children}
      <ul className={styles.cards}>
        {cards.map((card) => (
          <li key={card.name}>
            <card.Icon aria-hidden size={24} />
            <h3>{card.name}</h3>
            <p>{card.text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
