import fc from 'fast-check';
import { countOf, runSeed } from './seeded.ts';

/**
 * fast-check, with the same cases in every `npm test`: what turns a run red is the change at hand, never chance.
 * `npm run test:long -- properties` tries new cases, and many; SPRIG_SEED and SPRIG_PROPERTY_RUNS repeat such a run.
 */
fc.configureGlobal({ seed: runSeed(), numRuns: countOf('SPRIG_PROPERTY_RUNS', 100) });

export { fc };
