import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { tableOf, withParts } from './results-table.ts';

/** One line of the table: a figure, what it is held against and how many times that it is. */
export interface Row {
  what: string;
  figure: string;
  against: string;
  ratio: string;
}

/** All that one bench file has measured. A later run replaces the part of the same title. */
export interface Part {
  title: string;
  /** Where and how it was measured, beyond the machine. */
  conditions: string;
  rows: Row[];
  /** Drawings of the same, kept as files beside the results. */
  plots?: { file: string; svg: string; alt: string }[];
}

declare module 'vitest' {
  interface ProvidedContext {
    /** Each bench file leaves its part here. */
    benchParts: string;
  }
}

const resultsFile = path.join(import.meta.dirname, '..', 'RESULTS.md');
const plotsFolder = path.join(import.meta.dirname, '..', 'plots');

/** Around all bench files: their parts become one table, printed and kept. */
export function setup(project: TestProject): () => void {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sprig-bench-'));
  project.provide('benchParts', folder);
  return () => {
    const parts = fs
      .readdirSync(folder)
      .sort()
      .map((name): Part => JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')));
    fs.rmSync(folder, { recursive: true });
    if (parts.length === 0) return;
    const kept = fs.existsSync(resultsFile) ? fs.readFileSync(resultsFile, 'utf8') : '';
    fs.writeFileSync(resultsFile, withParts(kept, parts, machine()));
    for (const { file, svg } of parts.flatMap(({ plots = [] }) => plots)) {
      fs.mkdirSync(plotsFolder, { recursive: true });
      fs.writeFileSync(path.join(plotsFolder, file), svg);
    }
    for (const { title, rows } of parts) console.log(`\n${title}\n${tableOf(rows)}`);
  };
}

export function leavePart(folder: string, part: Part): void {
  fs.writeFileSync(path.join(folder, `${part.title}.json`), JSON.stringify(part));
}

function machine(): string {
  const cpus = os.cpus();
  const day = new Date().toISOString().slice(0, 10);
  const busy = os.loadavg()[0]?.toFixed(1);
  return `${day}, ${cpus.length} cores (${cpus[0]?.model.trim()}, load ${busy}), ${os.type()}, Node.js ${process.versions.node}`;
}
