import { seriesPaths, seriesQuerySchema, seriesResponseSchema } from '#contract/series.ts';
import type { Operation } from '../../http/openapi/operation.ts';

export const seriesOperations: readonly Operation[] = [
  {
    id: 'plantSeries',
    method: 'get',
    path: seriesPaths.ofPlant,
    tag: 'Readings',
    summary: 'The readings of a plant over a long time, in buckets',
    description: `Minimum, maximum and mean of every measure in at most \`points\` buckets of equal length (200 by
default), as parallel arrays, oldest first, and the waterings. The length is a round number of minutes, hours or days.
Buckets begin at round times of UTC+7, those of a day and more at midnight. The first bucket contains \`from\`, the
last one ends at \`to\` or after it; bucket n begins \`n * step_seconds\` after \`start\`. A measure that was not
reported in a bucket is null. Buckets of an hour and more also contain readings that were deleted after
\`READINGS_DAYS\`.`,
    caller: 'person',
    names: 'plant',
    query: seriesQuerySchema,
    condition: 'if-none-match',
    success: { status: 200, description: 'The series', schema: seriesResponseSchema },
    badInput: [
      {
        summary: 'An end before the start',
        query: '?from=2026-11-20T08:00:00Z&to=2026-11-19T08:00:00Z',
        detail: [{ loc: ['query', 'to'], msg: 'Must be after from' }],
      },
    ],
  },
];
