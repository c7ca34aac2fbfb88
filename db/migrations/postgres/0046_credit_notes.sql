CREATE TABLE "credit_note_series" (
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"last_number" integer NOT NULL,
	"last_issue_date" text COLLATE "C" NOT NULL,
	CONSTRAINT "credit_note_series_account_id_livemode_year_pk" PRIMARY KEY("account_id","livemode","year"),
	CONSTRAINT "credit_note_series_number" CHECK ("credit_note_series"."last_number" > 0)
);
--> statement-breakpoint
CREATE TABLE "credit_note_voids" (
	"credit_note_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_notes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"cause" text COLLATE "C" NOT NULL,
	"refund_id" text COLLATE "C",
	"amount" bigint NOT NULL,
	"pdf_problem" text COLLATE "C",
	"record" json NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "credit_notes_sequence_positive" CHECK ("credit_notes"."sequence" > 0),
	CONSTRAINT "credit_notes_amount" CHECK ("credit_notes"."amount" > 0),
	CONSTRAINT "credit_notes_refund" CHECK (("credit_notes"."cause" = 'refund') = ("credit_notes"."refund_id" is not null))
);
--> statement-breakpoint
ALTER TABLE "credit_note_series" ADD CONSTRAINT "credit_note_series_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_note_series" VALIDATE CONSTRAINT "credit_note_series_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "credit_note_voids" ADD CONSTRAINT "credit_note_voids_credit_note_id_credit_notes_id_fk" FOREIGN KEY ("credit_note_id") REFERENCES "public"."credit_notes"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_note_voids" VALIDATE CONSTRAINT "credit_note_voids_credit_note_id_credit_notes_id_fk";--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_notes" VALIDATE CONSTRAINT "credit_notes_payment_id_payments_id_fk";--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_notes" VALIDATE CONSTRAINT "credit_notes_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_notes" VALIDATE CONSTRAINT "credit_notes_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_refund_id_transactions_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "credit_notes" VALIDATE CONSTRAINT "credit_notes_refund_id_transactions_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "credit_notes_sequence" ON "credit_notes" USING btree ("account_id","livemode","year","sequence");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "credit_notes_payment" ON "credit_notes" USING btree ("payment_id");--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_list", ADD CONSTRAINT "saved_views_list" CHECK ("saved_views"."list" in ('payment_requests', 'invoices', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log')) NOT VALID;--> statement-breakpoint
ALTER TABLE "saved_views" VALIDATE CONSTRAINT "saved_views_list";
--> statement-breakpoint
CREATE TRIGGER "credit_notes_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_notes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER "credit_note_voids_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "credit_note_voids" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
