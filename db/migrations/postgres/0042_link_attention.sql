ALTER TABLE "payments" ADD COLUMN "over_limit_at" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "link_requested_at" bigint;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_account_links" ON "payments" USING btree ("account_id","created_at","id") WHERE usage_limit is null or usage_limit <> 1;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_over_limit" ON "payments" USING btree ("organization_id","created_at","id") WHERE over_limit_at is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_link_requested" ON "payments" USING btree ("organization_id","created_at","id") WHERE link_requested_at is not null;