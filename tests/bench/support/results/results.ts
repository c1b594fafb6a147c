import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { tableOf, withPart } from './results-table.ts';

/** One row of the table: a figure, what it is compared with, and the ratio of the two. */
export interface Row {
  what: string;
  figure: string;
  against: string;
  ratio: string;
}

/** A section of RESULTS.md: what one bench has measured. */
export interface Part {
  title: string;
  /** How the figures were measured; the description of the machine is added by `writeResults`. */
  conditions: string;
  rows: Row[];
  /** Plots of the same figures, written to files beside RESULTS.md. */
  plots?: { file: string; svg: string; alt: string }[];
}

const resultsFile = path.join(import.meta.dirname, '../..', 'RESULTS.md');
const plotsFolder = path.join(import.meta.dirname, '../..', 'plots');

/** Prints the section and replaces the one of the same title in RESULTS.md. */
export function writeResults(part: Part): void {
  const former = fs.existsSync(resultsFile) ? fs.readFileSync(resultsFile, 'utf8') : '';
  fs.writeFileSync(resultsFile, withPart(former, part, machine()));
  for (const { file, svg } of part.plots ?? []) {
    fs.mkdirSync(plotsFolder, { recursive: true });
    fs.writeFileSync(path.join(plotsFolder, file), svg);
  }
  console.log(`\n${part.title}\n${tableOf(part.rows)}`);
}

function machine(): string {
  const cpus = os.cpus();
  const day = new Date().toISOString().slice(0, 10);
  const busy = os.loadavg()[0]?.toFixed(1);
  return `${day}, ${cpus.length} cores (${cpus[0]?.model.trim()}, load ${busy}), ${os.type()}, Node.js ${process.versions.node}`;
}
