import type { AppServer } from './app-server.ts';

export interface PlantRow {
  id: string;
  nickname: string;
  location: string | null;
  device_id: string | null;
  watering_frequency: number;
  soil_humidity_threshold_min: number | null;
  auto_watering_enabled: boolean;
}

/** The plants of this name as the server has them. */
export async function plantsNamed(server: AppServer, nickname: string): Promise<PlantRow[]> {
  return server.query<PlantRow>('SELECT * FROM plants WHERE nickname = $1', [nickname]);
}
