ALTER TABLE "payments" ADD COLUMN "usage_limit" integer DEFAULT 1;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "uses_count" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "uses_reserved" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "custom_amount" json;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "parent_payment_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "place" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "payer_key" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_idle" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "many_declines_at" bigint;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_parent" ON "payments" USING btree ("parent_payment_id","created_at","id") WHERE "payments"."parent_payment_id" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_links" ON "payments" USING btree ("organization_id","created_at","id") WHERE usage_limit is null or usage_limit <> 1;