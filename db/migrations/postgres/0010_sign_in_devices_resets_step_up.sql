CREATE TABLE "known_devices" (
	"user_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "known_devices_user_id_hash_pk" PRIMARY KEY("user_id","hash"),
	CONSTRAINT "known_devices_kind" CHECK ("known_devices"."kind" in ('api', 'cookie'))
);
--> statement-breakpoint
CREATE TABLE "nonces" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "password_resets" (
	"user_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"seal" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
CREATE TABLE "step_up_sums" (
	"session_id" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"moves" json NOT NULL,
	CONSTRAINT "step_up_sums_session_id_currency_pk" PRIMARY KEY("session_id","currency")
);
--> statement-breakpoint
ALTER TABLE "session_tokens" ADD COLUMN "replay_until" bigint;--> statement-breakpoint
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "known_devices" VALIDATE CONSTRAINT "known_devices_user_id_users_id_fk";--> statement-breakpoint
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "password_resets" VALIDATE CONSTRAINT "password_resets_user_id_users_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "known_devices_expiry" ON "known_devices" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "password_resets_hash" ON "password_resets" USING btree ("hash");