import { useDeferredValue, useMemo, useState } from 'react';
import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import {
  type GardenCounts,
  matchesFilter,
  matchesSearch,
  type PlantFilter,
  plantFilters,
} from '#domain/plant/filter.ts';
import { PlantCard } from '../card/plant-card.tsx';
import type { PlantView } from '../plant-view.ts';
import styles from './plant-grid.module.css';

interface PlantGridProps {
  plants: PlantView[];
  counts: GardenCounts;
  now: number;
  /** What the menu of a card does; a card without handlers has no menu. */
  onEdit?: (id: string) => void;
  onDelete?: (id: string) => void;
}

/** All plants as cards, narrowed by search and filter. */
export function PlantGrid({ plants, counts, now, onEdit, onDelete }: PlantGridProps) {
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<PlantFilter>('All');
  // A keystroke may change hundreds of cards; the input shows it before they are rendered.
  const appliedSearch = useDeferredValue(search);
  const found = useMemo(
    () =>
      plants.filter(
        ({ plant }) => matchesFilter(plant, filter, now) && matchesSearch(plant, appliedSearch),
      ),
    [plants, filter, appliedSearch, now],
  );
  // The counts know of plants that are not read yet; a search can only count what is here.
  const foundCount = appliedSearch === '' ? counts.byFilter[filter] : found.length;
  return (
    <section className={styles.section} aria-labelledby="plant-grid-title">
      <div className={styles.bar}>
        <h2 id="plant-grid-title">
          {filter === 'All' ? 'All Plants' : filter} <span>({foundCount})</span>
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
          {plantFilters.map((name) => (
            <option key={name} value={name}>
              {name} ({counts.byFilter[name]})
            </option>
          ))}
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
          filterKey={filter === 'All' ? appliedSearch : `${filter} ${appliedSearch}`}
          isOutdated={appliedSearch !== search}
        >
          {(view) => <PlantCard view={view} onEdit={onEdit} onDelete={onDelete} />}
        </GrowingList>
      )}
    </section>
  );
}
