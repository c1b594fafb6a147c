const stepMs = 15 * 60_000;
export const readingCount = (30 * 24 * 3_600_000) / stepMs;

/** The times (ms) of 30 days of readings, one every 15 minutes. */
export const moments = Array.from(
  { length: readingCount },
  (_, i) => Date.UTC(2026, 5, 1) + i * stepMs,
);

/** Each measure: a sine wave with a period of one or more days and a little noise, and the optimal range. */
export const sensorMonth = {
  soil_humidity: { values: wave(50, 18, 6), threshold: { min: 35, max: 65 } },
  air_humidity: { values: wave(55, 10, 1), threshold: { min: 40, max: 60 } },
  temperature: { values: wave(21, 4, 1), threshold: { min: 18, max: 26 } },
  luminance: { values: wave(9_000, 8_000, 1), threshold: { min: 1_000, max: 20_000 } },
};

function wave(middle: number, height: number, days: number): number[] {
  return moments.map((moment, i) => {
    const turn = (moment / (days * 86_400_000)) * 2 * Math.PI;
    const noise = ((i * 7919) % 101) / 101 - 0.5;
    return middle + height * (Math.sin(turn) + noise / 5);
  });
}
