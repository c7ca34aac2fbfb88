ALTER TABLE "customers" ADD COLUMN "merged_into" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "erased_at" bigint;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_merged" ON "customers" USING btree ("merged_into") WHERE "customers"."merged_into" is not null;--> statement-breakpoint
ALTER TABLE "saved_views" DROP CONSTRAINT "saved_views_list", ADD CONSTRAINT "saved_views_list" CHECK ("saved_views"."list" in ('payment_requests', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log')) NOT VALID;--> statement-breakpoint
ALTER TABLE "saved_views" VALIDATE CONSTRAINT "saved_views_list";