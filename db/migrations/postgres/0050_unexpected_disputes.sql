ALTER TABLE "transactions" ADD COLUMN "dispute_reference" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "unexpected_dispute" json;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "unexpected_dispute_at" bigint;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "transactions_sums" ON "transactions" USING btree ("organization_id","status","created_at","id","type","capture_before","currency","amount","amount_captured","amount_disputed","uses_credit");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "transactions_disputed" ON "transactions" USING btree ("organization_id","account_id") WHERE dispute_status in ('open', 'lost');--> statement-breakpoint
CREATE INDEX CONCURRENTLY "transactions_unexpected_dispute" ON "transactions" USING btree ("organization_id","created_at","id") WHERE unexpected_dispute_at is not null;--> statement-breakpoint
-- Moved here by hand: the index that replaces it exists by now.
DROP INDEX CONCURRENTLY IF EXISTS "transactions_totals";