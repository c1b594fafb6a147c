import { Plus } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { announce } from '#client/ui/feedback/screen-reader.tsx';
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
import { plural } from '#domain/text.ts';
import { useOverlay } from '../../dashboard/use-overlay.ts';
import { type PlantActions, PlantCard } from '../card/plant-card.tsx';
import type { PlantView } from '../plant-view.ts';
import { WaterAll } from '../water/water-all.tsx';
import styles from './plant-grid.module.css';

interface PlantGridProps {
  /** At least one; without plants, `PlantsGate` shows its empty state. */
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
  const filterKey = filter === 'All' ? appliedSearch : `${filter} ${appliedSearch}`;
  useFoundAnnouncement(
    filterKey,
    found.length === 0 ? nothingFound : `${plural(foundCount, 'plant')} found`,
  );
  return (
    <section className={styles.section} aria-labelledby="plant-grid-title">
      <div className={styles.bar}>
        <div className={styles.heading}>
          <h2 id="plant-grid-title">
            <span>{filter === 'All' ? 'All Plants' : filter}</span>{' '}
            <span className={styles.count}>{`(${foundCount})`}</span>
          </h2>
          {isComplete && <WaterAll plants={found} />}
        </div>
        <input
          type="search"
          enterKeyHint="search"
          aria-label="Search plants"
          placeholder="Search..."
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <select
          aria-label="Filter plants"
          value={filter}
          onChange={({ target }) =>
            setFilter(plantFilters.find((name) => name === target.value) ?? 'All')
          }
        >
          {plantFilters.map((name) => (
            <option key={name} value={name}>
              {`${name} (${counts.byFilter[name]})`}
            </option>
          ))}
        </select>
      </div>
      {found.length === 0 ? (
        <p className={styles.nothing} ref={focusIfLost} tabIndex={-1}>
          {nothingFound}
        </p>
      ) : (
        <GrowingList
          items={found}
          keyOf={({ plant }) => plant.id}
          className={styles.grid}
          filterKey={filterKey}
          isOutdated={appliedSearch !== search}
        >
          {(view) => <PlantCard view={view} actions={actions} />}
        </GrowingList>
      )}
    </section>
  );
}

const nothingFound = 'No plants match your search criteria.';

/** Screen readers interrupt an announcement at the next keystroke; it is made in a pause (ms). */
const announceAfterMs = 600;

/** Announces `found` when search or filter have changed, but not when the plants change by themselves. */
function useFoundAnnouncement(filterKey: string, found: string): void {
  const announcedKey = useRef(filterKey);
  useEffect(() => {
    if (filterKey === announcedKey.current) return;
    const timer = setTimeout(() => {
      announcedKey.current = filterKey;
      announce(found);
    }, announceAfterMs);
    return () => clearTimeout(timer);
  }, [filterKey, found]);
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
