CREATE TABLE "email_links" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"seal" text COLLATE "C",
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	CONSTRAINT "email_links_kind" CHECK ("email_links"."kind" in ('verify', 'change', 'undo'))
);
--> statement-breakpoint
ALTER TABLE "mails" ADD COLUMN "user_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "password_resets" ADD COLUMN "nonce" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "password_resets" ADD COLUMN "key_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "email_links" ADD CONSTRAINT "email_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "email_links" VALIDATE CONSTRAINT "email_links_user_id_users_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "email_links_user" ON "email_links" USING btree ("user_id","kind");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "email_links_address" ON "email_links" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "email_links_expiry" ON "email_links" USING btree ("expires_at");--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "mails" VALIDATE CONSTRAINT "mails_user_id_users_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_user" ON "mails" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "password_resets_expiry" ON "password_resets" USING btree ("expires_at");