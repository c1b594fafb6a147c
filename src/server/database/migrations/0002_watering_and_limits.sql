CREATE TABLE "device_tokens" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"device_id" text NOT NULL,
	"token_hash" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "device_tokens_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "rate_limits" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "watering_commands" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"amount_ml" double precision NOT NULL,
	"soil_before" double precision NOT NULL,
	"status" text DEFAULT 'issued' NOT NULL,
	"reported_ml" double precision,
	"reported_at" timestamp with time zone,
	CONSTRAINT "watering_commands_user_id_plant_id_id_pk" PRIMARY KEY("user_id","plant_id","id")
);
--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "auto_watering_note" text;--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "auto_watering_locked" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "plants" ADD COLUMN "auto_watering_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "device_tokens" ADD CONSTRAINT "device_tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "watering_commands" ADD CONSTRAINT "watering_commands_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "device_tokens_hash" ON "device_tokens" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "rate_limits_end" ON "rate_limits" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "watering_commands_by_moment" ON "watering_commands" USING btree ("user_id","plant_id","issued_at");