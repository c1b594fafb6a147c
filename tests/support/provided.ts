import { inject, type ProvidedContext } from 'vitest';

/** What a global set-up needs of Vitest's project. */
export interface SetupProject {
  provide: <Name extends keyof ProvidedContext>(name: Name, value: ProvidedContext[Name]) => void;
  getProvidedContext: () => ProvidedContext;
}

let outsideVitest: Partial<ProvidedContext> | null = null;

/** What the global set-ups prepared, e.g. the address of PostgreSQL; in a test and in a bench alike. */
export function provided<Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] {
  if (outsideVitest === null) return inject(name);
  const value: ProvidedContext[Name] | undefined = outsideVitest[name];
  if (value === undefined) throw new Error(`Nothing has prepared ${name}`);
  return value;
}

/** For a script that runs the global set-ups without Vitest. */
export function provideOutsideVitest(values: Partial<ProvidedContext>): void {
  outsideVitest = values;
}
