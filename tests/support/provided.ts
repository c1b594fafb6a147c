import { inject, type ProvidedContext } from 'vitest';

/** The part of Vitest's project that a global set-up needs. */
export interface SetupProject {
  provide: <Name extends keyof ProvidedContext>(name: Name, value: ProvidedContext[Name]) => void;
  getProvidedContext: () => ProvidedContext;
}

let outsideVitest: Partial<ProvidedContext> | null = null;

/** A value that a global set-up has provided, e.g. how to reach PostgreSQL. For tests and benches. */
export function provided<Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] {
  if (outsideVitest === null) return inject(name);
  const value: ProvidedContext[Name] | undefined = outsideVitest[name];
  if (value === undefined) throw new Error(`No global set-up has provided ${name}`);
  return value;
}

/** For a script that runs the global set-ups without Vitest. */
export function provideOutsideVitest(values: Partial<ProvidedContext>): void {
  outsideVitest = values;
}
