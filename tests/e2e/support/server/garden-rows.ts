import { randomUUID } from 'node:crypto';
import { demo } from '../screens/garden.ts';
import type { AppServer } from './app-server.ts';

export interface GardenPlant {
  nickname: string;
  plant_name?: string;
  species?: string;
  category?: string;
  sunlight_requirements?: string;
  /** days */
  watering_frequency?: number;
  last_watered: Date;
  auto_watering_enabled?: boolean;
  health_status?: 'Good' | 'Warning' | 'Critical';
}

const ordinary = {
  version: 1,
  journal_version: 0,
  plant_name: 'Test Fern',
  species: 'Fern',
  category: 'Indoor',
  watering_frequency: 7,
  sunlight_requirements: 'Medium',
  fertilizer_schedule: 'Monthly',
  ideal_temperature_min: 18,
  ideal_temperature_max: 25,
  auto_watering_enabled: false,
  auto_watering_locked: false,
  reminder_enabled: true,
  reminder_days_before: 0,
  health_status: 'Good',
};

const dayMs = 86_400_000;
const addedFrom = Date.parse('2026-01-01T00:00:00Z');

/**
 * Replaces the plants by these, each with a reading at `readAt`. Without a recent reading a plant has the health
 * Unknown.
 */
export async function setGarden(
  server: AppServer,
  plants: readonly GardenPlant[],
  readAt = new Date(),
): Promise<void> {
  const [user] = await server.query<{ id: string }>('SELECT id FROM users WHERE email = $1', [
    demo.email,
  ]);
  const rows = plants.map((plant, i) => {
    const { watering_frequency } = { ...ordinary, ...plant };
    const due = plant.last_watered.getTime() + watering_frequency * dayMs;
    return {
      ...ordinary,
      ...plant,
      user_id: user?.id,
      id: randomUUID(),
      date_added: new Date(addedFrom + i * dayMs),
      next_watering_date: new Date(due),
    };
  });
  await server.query('DELETE FROM plants');
  await server.query(
    'INSERT INTO plants SELECT row.* FROM json_populate_recordset(NULL::plants, $1::json) AS row',
    [JSON.stringify(rows)],
  );
  await server.query(
    'INSERT INTO sensor_logs SELECT user_id, id, $1, 50, 50, 22, 3000 FROM plants',
    [readAt],
  );
  await renewEpoch(server);
}

/** Makes devices load the whole list instead of a delta, as after a restored backup. */
async function renewEpoch(server: AppServer): Promise<void> {
  // Gives the table a new file. Its path is part of the server's epoch, so cursors from before become invalid.
  await server.query('VACUUM FULL change_counters');
}
