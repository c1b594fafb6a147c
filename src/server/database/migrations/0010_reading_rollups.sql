CREATE TABLE "reading_days" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"soil_humidity_min" double precision,
	"soil_humidity_max" double precision,
	"soil_humidity_sum" double precision,
	"soil_humidity_count" integer NOT NULL,
	"air_humidity_min" double precision,
	"air_humidity_max" double precision,
	"air_humidity_sum" double precision,
	"air_humidity_count" integer NOT NULL,
	"temperature_min" double precision,
	"temperature_max" double precision,
	"temperature_sum" double precision,
	"temperature_count" integer NOT NULL,
	"luminance_min" double precision,
	"luminance_max" double precision,
	"luminance_sum" double precision,
	"luminance_count" integer NOT NULL,
	CONSTRAINT "reading_days_user_id_plant_id_start_pk" PRIMARY KEY("user_id","plant_id","start")
);
--> statement-breakpoint
CREATE TABLE "reading_hours" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"start" timestamp with time zone NOT NULL,
	"soil_humidity_min" double precision,
	"soil_humidity_max" double precision,
	"soil_humidity_sum" double precision,
	"soil_humidity_count" integer NOT NULL,
	"air_humidity_min" double precision,
	"air_humidity_max" double precision,
	"air_humidity_sum" double precision,
	"air_humidity_count" integer NOT NULL,
	"temperature_min" double precision,
	"temperature_max" double precision,
	"temperature_sum" double precision,
	"temperature_count" integer NOT NULL,
	"luminance_min" double precision,
	"luminance_max" double precision,
	"luminance_sum" double precision,
	"luminance_count" integer NOT NULL,
	CONSTRAINT "reading_hours_user_id_plant_id_start_pk" PRIMARY KEY("user_id","plant_id","start")
);
--> statement-breakpoint
CREATE TABLE "rollup_due" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"hour" timestamp with time zone NOT NULL,
	CONSTRAINT "rollup_due_user_id_plant_id_hour_pk" PRIMARY KEY("user_id","plant_id","hour")
);
--> statement-breakpoint
CREATE TABLE "rollup_progress" (
	"user_id" uuid NOT NULL,
	"plant_id" uuid NOT NULL,
	"rolled_until" timestamp with time zone NOT NULL,
	"kept_from" timestamp with time zone,
	CONSTRAINT "rollup_progress_user_id_plant_id_pk" PRIMARY KEY("user_id","plant_id")
);
--> statement-breakpoint
ALTER TABLE "reading_days" ADD CONSTRAINT "reading_days_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reading_hours" ADD CONSTRAINT "reading_hours_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollup_due" ADD CONSTRAINT "rollup_due_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rollup_progress" ADD CONSTRAINT "rollup_progress_user_id_plant_id_plants_user_id_id_fk" FOREIGN KEY ("user_id","plant_id") REFERENCES "public"."plants"("user_id","id") ON DELETE cascade ON UPDATE no action;