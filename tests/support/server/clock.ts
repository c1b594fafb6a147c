/** A clock that advances only on request. */
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

/** A clock that follows the real time, as the Date header of responses does, and can also be advanced. */
export function runningClock(): TestClock {
  let ahead = 0;
  return Object.assign(() => new Date(Date.now() + ahead), {
    advance: (ms: number) => {
      ahead += ms;
    },
  });
}
