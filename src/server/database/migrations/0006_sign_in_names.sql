CREATE TABLE "sign_in_names" (
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"user_id" uuid NOT NULL,
	CONSTRAINT "sign_in_names_name_kind_user_id_pk" PRIMARY KEY("name","kind","user_id")
);
--> statement-breakpoint
CREATE UNIQUE INDEX "sign_in_names_email" ON "sign_in_names" USING btree ("name") WHERE kind = 'email';--> statement-breakpoint
-- Servers before 0.2 know only users. These triggers keep the names of accounts that they make during an update, and of
-- rows that are changed by hand. The email address comes before the row, in the order in which 0.2 inserts the two, so
-- that an old and a new process cannot deadlock; the username after it, when it is certain that the row is a new one.
CREATE FUNCTION "keep_email"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO sign_in_names (name, kind, user_id) VALUES (NEW.email_key, 'email', NEW.id) ON CONFLICT DO NOTHING;
	RETURN NEW;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "keep_username"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO sign_in_names (name, kind, user_id) VALUES (NEW.username_key, 'username', NEW.id) ON CONFLICT DO NOTHING;
	RETURN NULL;
END
$$;
--> statement-breakpoint
-- The lock makes other writers wait, so that what follows sees every account.
CREATE TRIGGER "users_keep_email" BEFORE INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION keep_email();
--> statement-breakpoint
CREATE TRIGGER "users_keep_username" AFTER INSERT ON "users" FOR EACH ROW EXECUTE FUNCTION keep_username();
--> statement-breakpoint
INSERT INTO "sign_in_names" ("name", "kind", "user_id")
SELECT "email_key", 'email', "id" FROM "users" UNION ALL SELECT "username_key", 'username', "id" FROM "users";
