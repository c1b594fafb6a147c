import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Each takes minutes. If it started last, it would use one core at the end while the others are idle. */
const longFiles = ['crash-model/crash-random.test.ts', 'crash-model/crash-points.test.ts'];

/**
 * Starts the longest test files first. Vitest's own order depends on the durations of earlier runs, which a fresh
 * checkout does not have.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return longFiles.some((name) => moduleId.endsWith(name));
}
