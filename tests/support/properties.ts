import fc from 'fast-check';
import { countOf, runSeed } from './seeded.ts';

/**
 * fast-check with a fixed seed, so that a failure of `npm test` is caused by the change and not by chance.
 * `npm run test:long -- properties` runs many new cases; SPRIG_SEED and SPRIG_PROPERTY_RUNS repeat such a run.
 */
fc.configureGlobal({ seed: runSeed(), numRuns: countOf('SPRIG_PROPERTY_RUNS', 100) });

export { fc };
