ALTER TABLE "mail_outbox" ADD COLUMN "account_id" uuid;--> statement-breakpoint
CREATE INDEX "mail_outbox_order" ON "mail_outbox" USING btree (("account_id" IS NOT NULL),"next_at");