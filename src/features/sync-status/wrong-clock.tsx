import { PageLine } from '#ui/page-line.tsx';
import { clockWords } from './clock-words.ts';

export function WrongClock({ offsetMs }: { offsetMs: number }) {
  return <PageLine isPassing>{clockWords(offsetMs)}</PageLine>;
}
