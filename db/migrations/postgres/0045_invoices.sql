CREATE TABLE "invoice_series" (
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"last_number" integer NOT NULL,
	"last_issue_date" text COLLATE "C" NOT NULL,
	CONSTRAINT "invoice_series_account_id_livemode_year_pk" PRIMARY KEY("account_id","livemode","year"),
	CONSTRAINT "invoice_series_number" CHECK ("invoice_series"."last_number" > 0)
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"payment_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"record" json NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "invoices_sequence_positive" CHECK ("invoices"."sequence" > 0)
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "invoice_preferences" json;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "invoice" json;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "invoice_number" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "pdf_problem" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "invoice_series" ADD CONSTRAINT "invoice_series_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invoice_series" VALIDATE CONSTRAINT "invoice_series_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" VALIDATE CONSTRAINT "invoices_payment_id_payments_id_fk";--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" VALIDATE CONSTRAINT "invoices_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invoices" VALIDATE CONSTRAINT "invoices_account_id_accounts_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "invoices_sequence" ON "invoices" USING btree ("account_id","livemode","year","sequence");
--> statement-breakpoint
CREATE TRIGGER "invoices_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "invoices" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
