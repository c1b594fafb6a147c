import type { Part } from './results/results.ts';

/** A script that measures. It fails only when something cannot be measured, never because of a figure. */
export interface Bench {
  open?: () => Promise<void>;
  /** Run one after another; each adds its rows to the section. */
  steps: readonly (() => Promise<void>)[];
  /** The section for RESULTS.md. Called after the last step. */
  section: () => Part;
  close?: () => Promise<void>;
}

export async function run({ open, steps, section, close }: Bench): Promise<Part> {
  await open?.();
  try {
    for (const step of steps) await step();
    return section();
  } finally {
    await close?.();
  }
}
