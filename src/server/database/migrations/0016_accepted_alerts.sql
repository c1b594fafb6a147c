ALTER TABLE "notices" ADD COLUMN "accepted_at" timestamp with time zone;--> statement-breakpoint
-- Otherwise all earlier alerts would be reported again.
UPDATE "notices" SET "accepted_at" = "created_at" WHERE "kind" = 'alert';
