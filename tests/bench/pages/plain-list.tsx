import '#client/ui/tokens.css';
import '#client/ui/base.css';
import { CalendarClock, Droplet, Sun, Thermometer } from 'lucide-react';
import { memo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import styles from '#client/features/garden/card/plant-card.module.css';
import { Button } from '#client/ui/form/button.tsx';

/** The simplest list in React: a card for every plant, filtered at each keystroke. */

interface ListedPlant {
  id: string;
  nickname: string;
  species: string;
  frequency: number;
}

const Card = memo(function Card({ plant }: { plant: ListedPlant }) {
  return (
    <article className={styles.card} aria-labelledby={plant.id}>
      <div className={styles.picture} />
      <div className={styles.body}>
        <div className={styles.names}>
          <h3 id={plant.id}>
            <bdi>{plant.nickname}</bdi>
          </h3>
          <p>
            <bdi>{plant.species}</bdi>
          </p>
        </div>
        <div className={styles.states}>
          <span>
            <Droplet aria-hidden size={14} /> In {plant.frequency} days
          </span>
          <span>Healthy</span>
        </div>
        <ul className={styles.facts}>
          <li>
            <CalendarClock aria-hidden size={16} /> Every {plant.frequency} days
          </li>
          <li>
            <Sun aria-hidden size={16} /> Medium
          </li>
          <li>
            <Thermometer aria-hidden size={16} /> 18–25 °C
          </li>
        </ul>
        <div className={styles.action}>
          <Button look="water">Water Now</Button>
        </div>
      </div>
    </article>
  );
});

function PlainList({ plants }: { plants: readonly ListedPlant[] }) {
  const [wanted, setWanted] = useState('');
  const found = plants.filter(({ nickname }) =>
    nickname.toLowerCase().includes(wanted.toLowerCase()),
  );
  return (
    <main>
      <h2 id="plant-grid-title">My Plants ({found.length})</h2>
      <input
        type="search"
        value={wanted}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <ul>
        {found.map((plant) => (
          <li key={plant.id}>
            <Card plant={plant} />
          </li>
        ))}
      </ul>
    </main>
  );
}

/** Reads the plants from IndexedDB. The first visit stores them there. */
async function readPlants(count: number): Promise<ListedPlant[]> {
  const open = indexedDB.open('plain', 1);
  open.onupgradeneeded = () => {
    const store = open.result.createObjectStore('plants', { keyPath: 'id' });
    for (let i = 0; i < count; i += 1) {
      const plant = { nickname: `Plant ${i}`, species: 'Monstera', frequency: 1 + (i % 14) };
      store.put({ id: crypto.randomUUID(), ...plant });
    }
  };
  const db = await resultOf(open);
  return resultOf(db.transaction('plants').objectStore('plants').getAll());
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

void readPlants(1_000).then((plants) => {
  const box = document.getElementById('root');
  if (box) createRoot(box).render(<PlainList plants={plants} />);
});
