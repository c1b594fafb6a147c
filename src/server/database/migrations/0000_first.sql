CREATE TABLE "idempotency_keys" (
	"user_id" uuid NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"status" integer,
	"etag" text,
	"body" text,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "idempotency_keys_user_id_key_pk" PRIMARY KEY("user_id","key")
);
--> statement-breakpoint
CREATE TABLE "plants" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"nickname" text NOT NULL,
	"plant_name" text NOT NULL,
	"category" text NOT NULL,
	"species" text NOT NULL,
	"location" text,
	"description" text,
	"watering_frequency" double precision NOT NULL,
	"sunlight_requirements" text NOT NULL,
	"fertilizer_schedule" text NOT NULL,
	"ideal_temperature_min" double precision,
	"ideal_temperature_max" double precision,
	"soil_humidity_threshold_min" double precision,
	"soil_humidity_threshold_max" double precision,
	"air_humidity_threshold_min" double precision,
	"air_humidity_threshold_max" double precision,
	"temperature_threshold_min" double precision,
	"temperature_threshold_max" double precision,
	"luminance_threshold_min" double precision,
	"luminance_threshold_max" double precision,
	"device_id" text,
	"auto_watering_enabled" boolean NOT NULL,
	"date_added" timestamp with time zone NOT NULL,
	"last_watered" timestamp with time zone,
	"next_watering_date" timestamp with time zone NOT NULL,
	"last_fertilized" timestamp with time zone,
	"reminder_enabled" boolean DEFAULT false NOT NULL,
	"health_status" text DEFAULT 'Unknown' NOT NULL,
	CONSTRAINT "plants_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "sensor_logs" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"ts" timestamp with time zone NOT NULL,
	"soil_humidity" double precision,
	"air_humidity" double precision,
	"temperature" double precision,
	"luminance" double precision,
	CONSTRAINT "sensor_logs_user_id_plant_id_ts_pk" PRIMARY KEY("user_id","plant_id","ts")
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"user_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "sessions_user_id_id_pk" PRIMARY KEY("user_id","id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"email_key" text NOT NULL,
	"username" text NOT NULL,
	"username_key" text NOT NULL,
	"password_hash" text NOT NULL,
	"is_verified" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "waterings" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"watered_at" timestamp with time zone NOT NULL,
	"source" text NOT NULL,
	"amount_ml" double precision,
	"soil_before" double precision,
	CONSTRAINT "waterings_user_id_plant_id_id_pk" PRIMARY KEY("user_id","plant_id","id")
);
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "plants" ADD CONSTRAINT "plants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sensor_logs" ADD CONSTRAINT "sensor_logs_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "waterings" ADD CONSTRAINT "waterings_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "plants_device" ON "plants" USING btree ("user_id","device_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "users_username_key" ON "users" USING btree ("username_key");--> statement-breakpoint
CREATE INDEX "waterings_by_moment" ON "waterings" USING btree ("user_id","plant_id","watered_at");--> statement-breakpoint
CREATE STATISTICS "sensor_logs_owner" (dependencies, ndistinct) ON "user_id", "plant_id" FROM "sensor_logs";
--> statement-breakpoint
CREATE STATISTICS "waterings_owner" (dependencies, ndistinct) ON "user_id", "plant_id" FROM "waterings";
