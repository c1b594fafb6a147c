CREATE TABLE "journal_entries" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"type" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"note" text,
	"days" integer,
	"reason" text,
	CONSTRAINT "journal_entries_user_id_plant_id_id_pk" PRIMARY KEY("user_id","plant_id","id")
);
--> statement-breakpoint
CREATE TABLE "photos" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"entry_id" uuid,
	"taken_at" timestamp with time zone NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"hash" text NOT NULL,
	"full_jpeg" "bytea",
	"small_jpeg" "bytea",
	"deleted_at" timestamp with time zone,
	CONSTRAINT "photos_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "snoozed_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "journal_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "photo_id" text;--> statement-breakpoint
ALTER TABLE "waterings" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "waterings" ADD COLUMN "removed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "journal_entries" ADD CONSTRAINT "journal_entries_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "photos" ADD CONSTRAINT "photos_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "journal_entries_by_moment" ON "journal_entries" USING btree ("user_id","plant_id","at");--> statement-breakpoint
CREATE INDEX "photos_of_plant" ON "photos" USING btree ("user_id","plant_id","taken_at");--> statement-breakpoint
-- Devices fetch the journal of every plant that was there before, because it may have waterings.
UPDATE "plants" SET "journal_version" = 1;
