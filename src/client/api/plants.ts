import {
  type PlantWithReadings,
  plantListSchema,
  plantsRequest,
  plantsWithReadingsRequest,
  plantsWithReadingsSchema,
} from '#contract/plants.ts';
import type { PlantRecord } from '#domain/plant/plant.ts';
import { fallbackTexts } from './fallback-texts.ts';
import { requestIfChanged } from './http.ts';
import type { ApiResponse, RequestOptions } from './send.ts';

/** All plants, or 'unchanged' when the server still has the version of `knownEtag`. Throws ApiError. */
export function fetchPlants(
  call: RequestOptions,
  knownEtag: string | null = null,
): Promise<{ value: PlantRecord[] | 'unchanged'; answer: ApiResponse }> {
  const texts = { fallback: fallbackTexts.plants };
  return requestIfChanged(plantsRequest(), call, plantListSchema, texts, knownEtag);
}

/** As fetchPlants, each with its latest readings. */
export function fetchPlantsWithReadings(
  call: RequestOptions,
  knownEtag: string | null = null,
): Promise<{ value: PlantWithReadings[] | 'unchanged'; answer: ApiResponse }> {
  const texts = { fallback: fallbackTexts.plantsWithReadings };
  return requestIfChanged(
    plantsWithReadingsRequest(),
    call,
    plantsWithReadingsSchema,
    texts,
    knownEtag,
  );
}
