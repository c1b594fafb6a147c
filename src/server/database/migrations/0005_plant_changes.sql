CREATE TABLE "change_counters" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"last" bigint NOT NULL,
	"forgotten" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "plant_changes" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"change" bigint NOT NULL,
	"record_change" bigint NOT NULL,
	"last_reading_at" timestamp with time zone,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "plant_changes_user_id_plant_id_pk" PRIMARY KEY("user_id","plant_id")
);
--> statement-breakpoint
ALTER TABLE "sensor_logs" ADD COLUMN "change" bigint;--> statement-breakpoint
ALTER TABLE "change_counters" ADD CONSTRAINT "change_counters_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plant_changes" ADD CONSTRAINT "plant_changes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "plant_changes_deleted" ON "plant_changes" USING btree ("deleted_at") WHERE deleted_at IS NOT NULL;--> statement-breakpoint
-- Room in the page for the next version of a row: these rows change with every reading.
ALTER TABLE "plant_changes" SET (fillfactor = 60);--> statement-breakpoint
ALTER TABLE "change_counters" SET (fillfactor = 50);--> statement-breakpoint
INSERT INTO "change_counters" ("user_id", "last") SELECT "id", 1 FROM "users";--> statement-breakpoint
INSERT INTO "plant_changes" ("user_id", "plant_id", "change", "record_change", "last_reading_at")
SELECT p."user_id", p."id", 1, 1, (
	SELECT l."ts" FROM "sensor_logs" l WHERE l."user_id" = p."user_id" AND l."plant_id" = p."id" ORDER BY l."ts" DESC LIMIT 1
) FROM "plants" p;
