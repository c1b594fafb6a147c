ALTER TABLE "mail_outbox" ADD COLUMN "quiet_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "mail_outbox" ADD COLUMN "quiet_to" timestamp with time zone;