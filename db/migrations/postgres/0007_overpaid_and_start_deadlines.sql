ALTER TABLE "payments" ADD COLUMN "amount_overpaid" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "amount_surplus" bigint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "start_before" bigint;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_overpaid" ON "payments" USING btree ("organization_id","created_at","id") WHERE "payments"."amount_overpaid" > 0;
