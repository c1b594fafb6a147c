import { Plus } from 'lucide-react';
import { useDeferredValue, useMemo, useState } from 'react';
import { focusIfLost } from '#client/ui/focus.ts';
import { Button } from '#client/ui/form/button.tsx';
import { GrowingList } from '#client/ui/layout/growing-list.tsx';
import {
  type GardenCounts,
  matchesFilter,
  matchesSearch,
  type PlantFilter,
  plantFilters,
  type PlantStats as Stats,
} from '#domain/plant/filter.ts';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { type PlantActions, PlantCard } from '../card/plant-card.tsx';
import type { PlantView } from '../plant-view.ts';
import { WaterAll } from '../water/water-all.tsx';
import styles from './plant-grid.module.css';

interface PlantGridProps {
  plants: PlantView[];
  counts: GardenCounts;
  /** Whether these are all plants of the account. */
  isComplete: boolean;
  now: number;
  /** The actions of a card's menu. Pass the same object in every render, so that only changed cards render again. */
  actions?: PlantActions;
}

/** All plants as cards, narrowed by search and filter. */
export function PlantGrid({ plants, counts, isComplete, now, actions }: PlantGridProps) {
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
  // The counts include plants that are not loaded yet; a search can only count the loaded ones.
  const foundCount = appliedSearch === '' ? counts.byFilter[filter] : found.length;
  return (
    <section className={styles.section} aria-labelledby="plant-grid-title">
      <div className={styles.bar}>
        <div className={styles.heading}>
          <h2 id="plant-grid-title">
            {filter === 'All' ? 'All Plants' : filter} <span>({foundCount})</span>
          </h2>
          {isComplete && <WaterAll plants={found} />}
        </div>
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
        <p className={styles.nothing} ref={focusIfLost} tabIndex={-1}>
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
          {(view) => <PlantCard view={view} actions={actions} />}
        </GrowingList>
      )}
    </section>
  );
}

export function PlantStats({ stats }: { stats: Stats }) {
  const tiles = [
    ['Total Plants', stats.total],
    ['Needs Water', stats.needsWater],
    ['Needs Attention', stats.needsAttention],
    ['Auto-Watered Today', stats.autoWateredToday],
  ] as const;
  return (
    <dl className={styles.strip}>
      {tiles.map(([label, count]) => (
        <div key={label} className={styles.tile}>
          <dt>{label}</dt>
          <dd>{count}</dd>
        </div>
      ))}
    </dl>
  );
}

export function AddPlantButton({ label }: { label: string }) {
  const { open } = useOverlay();
  return (
    <Button onClick={() => open({ form: 'new' })}>
      <Plus aria-hidden size={18} /> {label}
    </Button>
  );
}
