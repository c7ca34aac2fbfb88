CREATE TABLE "stored_methods" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C",
	"payment_id" text COLLATE "C" NOT NULL,
	"transaction_id" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"provider_reference" text COLLATE "C",
	"attempt_reference" text COLLATE "C",
	"attempt_key" text COLLATE "C",
	"start_before" bigint,
	"action_url" text COLLATE "C",
	"payment_method" json,
	"failure" json,
	"livemode" boolean NOT NULL,
	"settled_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "stored_methods_status" CHECK ("stored_methods"."status" in ('processing', 'requires_action', 'stored', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "subscription_cycles" (
	"subscription_id" text COLLATE "C" NOT NULL,
	"cycle" integer NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"period_start" bigint NOT NULL,
	"period_end" bigint NOT NULL,
	"is_missed" boolean DEFAULT false NOT NULL,
	"paid_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "subscription_cycles_subscription_id_cycle_pk" PRIMARY KEY("subscription_id","cycle")
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"interval_count" integer NOT NULL,
	"cycles" integer,
	"cycles_begun" integer DEFAULT 0 NOT NULL,
	"cycles_done" integer DEFAULT 0 NOT NULL,
	"next_cycle" integer DEFAULT 1 NOT NULL,
	"anchor_at" bigint,
	"timezone" text COLLATE "C" NOT NULL,
	"trial_ends_at" bigint,
	"trial_notice_at" bigint,
	"current_period_start" bigint,
	"current_period_end" bigint,
	"next_charge_at" bigint,
	"failed_at" bigint,
	"retries" integer DEFAULT 0 NOT NULL,
	"retry_at" bigint,
	"is_method_refused" boolean DEFAULT false NOT NULL,
	"attempt_id" text COLLATE "C",
	"method_id" text COLLATE "C",
	"resume_at" bigint,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"canceled_at" bigint,
	"ended_at" bigint,
	"end_reason" text COLLATE "C",
	"first_payment_id" text COLLATE "C" NOT NULL,
	"latest_payment_id" text COLLATE "C" NOT NULL,
	"metadata" json NOT NULL,
	"livemode" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "subscriptions_status" CHECK ("subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'ended')),
	CONSTRAINT "subscriptions_amount" CHECK ("subscriptions"."amount" between 1 and 999999999999),
	CONSTRAINT "subscriptions_currency" CHECK (length("subscriptions"."currency") = 3),
	CONSTRAINT "subscriptions_cycles" CHECK ("subscriptions"."cycles_done" between 0 and "subscriptions"."cycles_begun")
);
--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "catch_up" text COLLATE "C" DEFAULT 'latest' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_trial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_renewal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "subscription_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "stored_method" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "stored_methods" ADD CONSTRAINT "stored_methods_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "stored_methods" VALIDATE CONSTRAINT "stored_methods_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "stored_methods" ADD CONSTRAINT "stored_methods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "stored_methods" VALIDATE CONSTRAINT "stored_methods_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "stored_methods" ADD CONSTRAINT "stored_methods_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "stored_methods" VALIDATE CONSTRAINT "stored_methods_payment_id_payments_id_fk";--> statement-breakpoint
ALTER TABLE "subscription_cycles" ADD CONSTRAINT "subscription_cycles_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscription_cycles" VALIDATE CONSTRAINT "subscription_cycles_subscription_id_subscriptions_id_fk";--> statement-breakpoint
ALTER TABLE "subscription_cycles" ADD CONSTRAINT "subscription_cycles_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscription_cycles" VALIDATE CONSTRAINT "subscription_cycles_payment_id_payments_id_fk";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_account_id_accounts_id_fk";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_method_id_stored_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."stored_methods"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_method_id_stored_methods_id_fk";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_first_payment_id_payments_id_fk" FOREIGN KEY ("first_payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_first_payment_id_payments_id_fk";--> statement-breakpoint
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_latest_payment_id_payments_id_fk" FOREIGN KEY ("latest_payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "subscriptions" VALIDATE CONSTRAINT "subscriptions_latest_payment_id_payments_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "stored_methods_attempt" ON "stored_methods" USING btree ("attempt_key") WHERE "stored_methods"."attempt_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "stored_methods_transaction" ON "stored_methods" USING btree ("transaction_id") WHERE "stored_methods"."transaction_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "stored_methods_payment" ON "stored_methods" USING btree ("payment_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "stored_methods_customer" ON "stored_methods" USING btree ("customer_id") WHERE "stored_methods"."customer_id" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "subscription_cycles_payment" ON "subscription_cycles" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscription_cycles_missed" ON "subscription_cycles" USING btree ("organization_id","created_at") WHERE is_missed and paid_at is null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_page" ON "subscriptions" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_account_page" ON "subscriptions" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_customer" ON "subscriptions" USING btree ("customer_id","created_at","id") WHERE "subscriptions"."customer_id" is not null;