/** Fifty rows in one put wake every live query on the table instead of those that read the rows. */
const rowsPerPut = 49;

export function chunksOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / rowsPerPut);
  return Array.from({ length: count }, (_, i) => all.slice(i * rowsPerPut, (i + 1) * rowsPerPut));
}
