import * as v from 'valibot';
import type { WireId } from '#domain/plant/plant.ts';
import type { BucketSeries } from '#domain/reading/bucket-series.ts';
import { momentSchema } from './moment.ts';
import { type ApiRequest, pathFor, request } from './request.ts';

export const seriesPaths = { ofPlant: '/api/logs/plant/:id/series' } as const;

/** Limits of `points`, the maximum number of buckets in a series. The upper limit is the default. */
export const seriesPoints = { min: 2, max: 200 } as const;

export interface SeriesQuery {
  /** ISO 8601; in the first bucket */
  from: string;
  /** ISO 8601, later than `from`; in the last bucket or at its end */
  to: string;
  points?: number | undefined;
}

export const seriesQuerySchema: v.GenericSchema<unknown, SeriesQuery> = v.pipe(
  v.object({
    from: momentSchema,
    to: momentSchema,
    points: v.optional(
      v.pipe(
        v.string(),
        v.digits(),
        v.transform(Number),
        v.minValue(seriesPoints.min),
        v.maxValue(seriesPoints.max),
      ),
    ),
  }),
  v.forward(
    // The negation lets a malformed time (NaN) pass, because that time has its own error already.
    v.check(({ from, to }) => !(Date.parse(to) <= Date.parse(from)), 'Must be after from'),
    ['to'],
  ),
);

export type SeriesResponse = BucketSeries;

const values = v.array(v.nullable(v.number()));
const measureSeriesSchema = v.looseObject({ min: values, max: values, mean: values });

export const seriesResponseSchema: v.GenericSchema<unknown, SeriesResponse> = v.looseObject({
  start: v.pipe(v.string(), v.isoTimestamp()),
  step_seconds: v.pipe(v.number(), v.minValue(1)),
  count: v.number(),
  soil_humidity: measureSeriesSchema,
  air_humidity: measureSeriesSchema,
  temperature: measureSeriesSchema,
  luminance: measureSeriesSchema,
  waterings: v.looseObject({
    at: v.array(v.string()),
    amount_ml: values,
    source: v.array(v.picklist(['manual', 'auto'])),
    count: v.array(v.number()),
  }),
});

export function seriesRequest(id: WireId, query: SeriesQuery): ApiRequest {
  return request('GET', pathFor(seriesPaths.ofPlant, id), { query: { ...query } });
}
