ALTER TABLE "plants" ADD COLUMN "auto_watering_reason" text;--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "auto_watering_reason_since" timestamp with time zone;