CREATE TABLE "card_links" (
	"subscription_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
ALTER TABLE "stored_methods" ADD COLUMN "card_link" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "card_links" ADD CONSTRAINT "card_links_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "card_links" VALIDATE CONSTRAINT "card_links_subscription_id_subscriptions_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "card_links_hash" ON "card_links" USING btree ("hash");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "subscriptions_past_due" ON "subscriptions" USING btree ("organization_id","created_at","id") WHERE status = 'past_due';--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_list", ADD CONSTRAINT "saved_views_list" CHECK ("saved_views"."list" in ('payment_requests', 'invoices', 'subscriptions', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log')) NOT VALID;--> statement-breakpoint
ALTER TABLE "saved_views" VALIDATE CONSTRAINT "saved_views_list";