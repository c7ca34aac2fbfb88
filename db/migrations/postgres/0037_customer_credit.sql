CREATE TABLE "customer_credit_uses" (
	"transaction_id" text COLLATE "C" NOT NULL,
	"credit_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"amount_given_back" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "customer_credit_uses_transaction_id_credit_id_pk" PRIMARY KEY("transaction_id","credit_id"),
	CONSTRAINT "customer_credit_uses_kind" CHECK ("customer_credit_uses"."kind" in ('spent', 'taken_back', 'given_back')),
	CONSTRAINT "customer_credit_uses_amount" CHECK ("customer_credit_uses"."amount" between 1 and 999999999999),
	CONSTRAINT "customer_credit_uses_given_back" CHECK ("customer_credit_uses"."amount_given_back" between 0 and "customer_credit_uses"."amount")
);
--> statement-breakpoint
CREATE TABLE "customer_credits" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"amount" bigint NOT NULL,
	"amount_left" bigint NOT NULL,
	"amount_spent" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "customer_credits_amount" CHECK ("customer_credits"."amount" between 1 and 999999999999),
	CONSTRAINT "customer_credits_currency" CHECK (length("customer_credits"."currency") = 3),
	CONSTRAINT "customer_credits_amounts" CHECK ("customer_credits"."amount_left" >= 0 and "customer_credits"."amount_spent" >= 0 and "customer_credits"."amount_left" + "customer_credits"."amount_spent" <= "customer_credits"."amount")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "amount_credited" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "uses_credit" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "customer_credit_uses" ADD CONSTRAINT "customer_credit_uses_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_credit_uses" VALIDATE CONSTRAINT "customer_credit_uses_transaction_id_transactions_id_fk";--> statement-breakpoint
ALTER TABLE "customer_credit_uses" ADD CONSTRAINT "customer_credit_uses_credit_id_customer_credits_id_fk" FOREIGN KEY ("credit_id") REFERENCES "public"."customer_credits"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_credit_uses" VALIDATE CONSTRAINT "customer_credit_uses_credit_id_customer_credits_id_fk";--> statement-breakpoint
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_id_transactions_id_fk" FOREIGN KEY ("id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_credits" VALIDATE CONSTRAINT "customer_credits_id_transactions_id_fk";--> statement-breakpoint
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_credits" VALIDATE CONSTRAINT "customer_credits_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_credits" VALIDATE CONSTRAINT "customer_credits_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "customer_credits" VALIDATE CONSTRAINT "customer_credits_customer_id_customers_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_credit_uses_credit" ON "customer_credit_uses" USING btree ("credit_id","transaction_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_credits_left" ON "customer_credits" USING btree ("customer_id","currency","created_at","id") WHERE "customer_credits"."amount_left" > 0;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customer_credits_customer" ON "customer_credits" USING btree ("customer_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "transactions_totals" ON "transactions" USING btree ("organization_id","status","created_at","id","type","capture_before","currency","amount","amount_captured","uses_credit");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "transactions_credit" ON "transactions" USING btree ("payment_id") WHERE uses_credit;--> statement-breakpoint
-- Moved here by hand: the index that replaces it exists by now.
DROP INDEX CONCURRENTLY IF EXISTS "transactions_status_totals";