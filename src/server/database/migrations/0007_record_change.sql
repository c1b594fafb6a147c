-- A function whose first parameter is `account` uses only rows of that account. On a cluster it runs where these are, as
-- one task; without a cluster it is called in the same way. A later version that needs other parameters makes a function
-- of another name, because servers of this version may still run beside it.

-- Records that a plant has changed, as the last statement of its transaction. `reading_at`: of a reading that was stored
-- without a change; `only_reading`: nothing but that is new, so the record itself changed only if it follows a silence.
CREATE FUNCTION "record_change"(
	account uuid, plant uuid, reading_at timestamptz, deleted timestamptz, only_reading boolean, silent_since timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
	next_change bigint;
BEGIN
	INSERT INTO change_counters AS known (user_id, last) VALUES (account, 1)
		ON CONFLICT (user_id) DO UPDATE SET last = known.last + 1 RETURNING known.last INTO next_change;
	IF reading_at IS NOT NULL THEN
		UPDATE sensor_logs SET change = next_change WHERE user_id = account AND plant_id = plant AND ts = reading_at;
	END IF;
	INSERT INTO plant_changes AS known (user_id, plant_id, change, record_change, last_reading_at, deleted_at)
		VALUES (account, plant, next_change, next_change, reading_at, deleted)
		ON CONFLICT (user_id, plant_id) DO UPDATE SET
			change = excluded.change,
			record_change = CASE WHEN only_reading AND known.last_reading_at > silent_since
				THEN known.record_change ELSE excluded.change END,
			deleted_at = excluded.deleted_at,
			last_reading_at = greatest(known.last_reading_at, excluded.last_reading_at);
END
$$;
