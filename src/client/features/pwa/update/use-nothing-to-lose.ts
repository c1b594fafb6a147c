import { useEffect, useState } from 'react';
import { nothingToLose } from './nothing-to-lose.ts';

const everyMs = 500;

/** Asks again and again, which costs little and needs no word from any form. */
export function useNothingToLose(): boolean {
  const [isSo, setSo] = useState(false);
  // Forms, the device's database and the timer are outside of React.
  useEffect(() => {
    const look = () => void nothingToLose().then(setSo);
    look();
    const timer = setInterval(look, everyMs);
    return () => clearInterval(timer);
  }, []);
  return isSo;
}
