-- Stores readings of an account's plants. `account`: see record_change.
--
-- `plant_ids`: the plants, with `known_changes`, the numbers of their newest changes when they were read, and with
-- `only_readings`, whether nothing but readings of it is new. The other arrays are the readings: the place of its plant
-- in `plant_ids`, its time and its values. A reading with the same time is replaced.
--
-- With `is_counted` all of it is one change, and must be the last statement of its transaction; otherwise the readings are
-- stored without a change. Readings of a plant that is locked by another transaction, or that has another number than
-- the known one, are not stored. Returns the places of the plants whose readings were stored.
--
-- New in this version: a reading from before `silent_since` may belong to an hour that was rolled up, or replace a reading
-- of it, so its hour is marked to be rolled up again. The job leaves newer readings alone (src/server/readings/series). The row is
-- updated even if it exists, because the update waits for a job that is just deleting it.
CREATE OR REPLACE FUNCTION "store_readings"(
	account uuid, plant_ids uuid[], known_changes bigint[], only_readings boolean[], silent_since timestamptz,
	is_counted boolean, places integer[], times timestamptz[], soils float8[], airs float8[], temperatures float8[],
	lights float8[]
) RETURNS integer[] LANGUAGE plpgsql AS $$
DECLARE
	next_change bigint;
	is_free boolean[];
	newest timestamptz[];
	stored integer[] := '{}';
	late_hour timestamptz;
	marked_hour timestamptz;
	marked_place integer;
BEGIN
	FOR n IN 1 .. cardinality(plant_ids) LOOP
		PERFORM FROM plants p WHERE p.user_id = account AND p.id = plant_ids[n] FOR NO KEY UPDATE SKIP LOCKED;
		is_free[n] := FOUND;
	END LOOP;
	IF NOT true = ANY (is_free) THEN RETURN stored; END IF;
	FOR r IN 1 .. cardinality(times) LOOP
		newest[places[r]] := greatest(newest[places[r]], times[r]);
	END LOOP;
	IF is_counted THEN
		INSERT INTO change_counters AS known (user_id, last) VALUES (account, 1)
			ON CONFLICT (user_id) DO UPDATE SET last = known.last + 1 RETURNING known.last INTO next_change;
	END IF;
	FOR n IN 1 .. cardinality(plant_ids) LOOP
		CONTINUE WHEN NOT is_free[n];
		IF NOT is_counted THEN
			stored := stored || n;
		ELSIF known_changes[n] IS NULL THEN
			INSERT INTO plant_changes AS known (user_id, plant_id, change, record_change, last_reading_at)
				VALUES (account, plant_ids[n], next_change, next_change, newest[n])
				ON CONFLICT (user_id, plant_id) DO UPDATE SET
					change = next_change,
					record_change = CASE WHEN only_readings[n] AND known.last_reading_at > silent_since
						THEN known.record_change ELSE next_change END,
					deleted_at = NULL,
					last_reading_at = greatest(known.last_reading_at, newest[n]);
			stored := stored || n;
		ELSE
			UPDATE plant_changes SET
				change = next_change,
				record_change = CASE WHEN only_readings[n] AND last_reading_at > silent_since
					THEN record_change ELSE next_change END,
				last_reading_at = greatest(last_reading_at, newest[n])
				WHERE user_id = account AND plant_id = plant_ids[n] AND change = known_changes[n];
			IF FOUND THEN stored := stored || n; END IF;
		END IF;
	END LOOP;
	FOR r IN 1 .. cardinality(times) LOOP
		CONTINUE WHEN NOT places[r] = ANY (stored);
		INSERT INTO sensor_logs (user_id, plant_id, ts, soil_humidity, air_humidity, temperature, luminance, change)
			VALUES (account, plant_ids[places[r]], times[r], soils[r], airs[r], temperatures[r], lights[r], next_change)
			ON CONFLICT (user_id, plant_id, ts) DO UPDATE SET
				soil_humidity = excluded.soil_humidity, air_humidity = excluded.air_humidity,
				temperature = excluded.temperature, luminance = excluded.luminance, change = excluded.change;
		CONTINUE WHEN times[r] >= silent_since;
		late_hour := date_bin('1 hour', times[r], '1970-01-01 00:00+00');
		CONTINUE WHEN marked_place = places[r] AND marked_hour = late_hour;
		INSERT INTO rollup_due (user_id, plant_id, hour) VALUES (account, plant_ids[places[r]], late_hour)
			ON CONFLICT (user_id, plant_id, hour) DO UPDATE SET hour = excluded.hour;
		marked_place := places[r];
		marked_hour := late_hour;
	END LOOP;
	RETURN stored;
END
$$;
