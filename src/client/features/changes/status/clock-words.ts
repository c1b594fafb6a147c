import { hourMs } from '#domain/durations.ts';

/** What a wrong clock means, given how far the server's is ahead of it (ms): half an hour or more. */
export function clockWords(offsetMs: number): string {
  const hours = Math.round(Math.abs(offsetMs) / hourMs);
  const days = Math.round(hours / 24);
  const length = hours < 23 ? unitsOf(hours, 'hour') : unitsOf(days, 'day');
  const [where, due] = offsetMs < 0 ? ['ahead', 'too early'] : ['behind', 'too late'];
  return `This device’s clock is ${length} ${where}, so plants look due ${due}. What you do is saved with the right time.`;
}

function unitsOf(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
