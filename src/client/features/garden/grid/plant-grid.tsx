import { type ReactNode, useDeferredValue, useMemo, useState } from 'react';
import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import {
  matchesFilter,
  matchesSearch,
  type PlantFilter,
  plantFilters,
} from '#domain/plant/filter.ts';
import styles from './plant-grid.module.css';
import type { ShownPlant } from './shown-plant.ts';

/** All plants, narrowed by search and filter. `card` draws one; its parts come from several features. */
export function PlantGrid({
  plants,
  now,
  card,
}: {
  plants: ShownPlant[];
  now: number;
  card: (shown: ShownPlant) => ReactNode;
}) {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<PlantFilter>('All');
  // Hundreds of cards may come back with one letter: the letter shows first.
  const wanted = useDeferredValue(search);
  const found = useMemo(
    () =>
      plants.filter(
        ({ plant }) => matchesFilter(plant, filter, now) && matchesSearch(plant, wanted),
      ),
    [plants, filter, wanted, now],
  );
  const options = useMemo(
    () =>
      plantFilters.map((name) => {
        const count = plants.filter(({ plant }) => matchesFilter(plant, name, now)).length;
        return (
          <option key={name} value={name}>
            {name} ({count})
          </option>
        );
      }),
    [plants, now],
  );
  return (
    <section className={styles.section} aria-labelledby="plant-grid-title">
      <div className={styles.bar}>
        <h2 id="plant-grid-title">
          {filter === 'All' ? 'All Plants' : filter} <span>({found.length})</span>
        </h2>
        <input
          type="search"
          enterKeyHint="search"
          aria-label="Search plants"
          placeholder="Search plants..."
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <select
          aria-label="Filter plants"
          value={filter}
          onChange={(event) => setFilter(event.target.value as PlantFilter)}
        >
          {options}
        </select>
      </div>
      {found.length === 0 ? (
        <p className={styles.nothing}>
          {plants.length === 0
            ? 'No plants in your collection yet.'
            : 'No plants match your search criteria.'}
        </p>
      ) : (
        <GrowingList
          items={found}
          keyOf={({ plant }) => plant.id}
          className={styles.grid}
          narrowedBy={filter === 'All' ? wanted : `${filter} ${wanted}`}
          isOutdated={wanted !== search}
        >
          {card}
        </GrowingList>
      )}
    </section>
  );
}
