CREATE TABLE "mails" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"payment_id" text COLLATE "C",
	"kind" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"from_name" text COLLATE "C" NOT NULL,
	"reply_to" text COLLATE "C",
	"to_address" text COLLATE "C" NOT NULL,
	"to_key" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C",
	"html" text COLLATE "C",
	"link_purpose" text COLLATE "C",
	"link_object_id" text COLLATE "C",
	"is_automatic" boolean NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"sent_at" bigint,
	CONSTRAINT "mails_status" CHECK ("mails"."status" in ('queued', 'sent', 'failed', 'held'))
);
--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "mails" VALIDATE CONSTRAINT "mails_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "mails" VALIDATE CONSTRAINT "mails_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "mails" VALIDATE CONSTRAINT "mails_payment_id_payments_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_page" ON "mails" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_account_page" ON "mails" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_status_page" ON "mails" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_payment" ON "mails" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_recipient" ON "mails" USING btree ("organization_id","to_key" collate "C");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "mails_bodies" ON "mails" USING btree ("created_at") WHERE "mails"."text" is not null;