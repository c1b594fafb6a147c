import * as files from './file-rules.ts';
import * as imports from './import-rules.ts';
import type { HouseRule } from './source-graph.ts';

/** How src is built, each rule with its promise. */
export const houseRules: readonly (readonly [promise: string, HouseRule])[] = [
  ['imports go down the house only', imports.importsGoDown],
  ['no file imports itself by way of others, not even its types', imports.noCircles],
  ['no file merely passes on what others export', imports.noBarrels],
  ['files and folders are named for what is inside', files.namesSayWhatIsInside],
  ['nothing is exported as default', files.noDefaultExports],
  ['files stay short', files.filesStayShort],
  ['neighbours are imported by ./, other folders by their layer', imports.importsAreSpelledAlike],
  ['React, Dexie, fetch, environment and clock stay in place', files.thingsStayInTheirPlaces],
  ['nobody is asked for, or sent, a notification', files.nobodyIsNotified],
];
