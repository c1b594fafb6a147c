/** A clock that stands still until it is told to move. */
export interface TestClock {
  (): Date;
  advance: (ms: number) => void;
}

export function testClock(start = '2026-11-20T08:00:00.000Z'): TestClock {
  let now = Date.parse(start);
  return Object.assign(() => new Date(now), {
    advance: (ms: number) => {
      now += ms;
    },
  });
}
