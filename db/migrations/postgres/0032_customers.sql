CREATE TABLE "customer_words" (
	"customer_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "customer_words_customer_id_word_pk" PRIMARY KEY("customer_id","word")
);
--> statement-breakpoint
CREATE TABLE "customers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C",
	"email" text COLLATE "C",
	"email_key" text COLLATE "C",
	"request_email_key" text COLLATE "C",
	"phone" text COLLATE "C",
	"address" json,
	"tax_id" text COLLATE "C",
	"reference" text COLLATE "C",
	"locale" text COLLATE "C",
	"metadata" json NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "customer_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "customer_words" ADD CONSTRAINT "customer_words_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_words" VALIDATE CONSTRAINT "customer_words_customer_id_customers_id_fk";--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customers" VALIDATE CONSTRAINT "customers_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "customers" ADD CONSTRAINT "customers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customers" VALIDATE CONSTRAINT "customers_account_id_accounts_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_words_search" ON "customer_words" USING btree ("organization_id","word" collate "C","customer_id");--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "customers_reference" ON "customers" USING btree ("account_id","reference");--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "customers_request_email" ON "customers" USING btree ("account_id","request_email_key");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_page" ON "customers" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_account_page" ON "customers" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_email" ON "customers" USING btree ("organization_id","email_key","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_account_email" ON "customers" USING btree ("account_id","email_key","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_organization_reference" ON "customers" USING btree ("organization_id","reference","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_customer" ON "payments" USING btree ("customer_id","created_at","id") WHERE "payments"."customer_id" is not null;--> statement-breakpoint
-- Earlier versions knew no customers. A job finds or makes those of their payment requests. Its object is the oldest
-- organization, whose admins see it if it fails.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 8) || substr("id", 5, 3), 'payments.customers', 'payments.customers:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations" ORDER BY "id" LIMIT 1;
