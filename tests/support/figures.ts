declare module 'vitest' {
  interface TaskMeta {
    /** Figures of a long test, for the report of `npm run test:long`. */
    figures?: string;
  }
}

/** Adds a line of figures to the result of a test. */
export function reportFigures(task: { meta: { figures?: string } }, figures: string): void {
  task.meta.figures = figures;
}
