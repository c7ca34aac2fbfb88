CREATE INDEX `stored_methods_reference` ON `stored_methods` (`provider_reference`) WHERE "stored_methods"."provider_reference" is not null;--> statement-breakpoint
CREATE INDEX `transactions_disputed_page` ON `transactions` (`organization_id`,`created_at`,`id`) WHERE dispute_status in ('open', 'lost');--> statement-breakpoint
CREATE INDEX `transactions_stored_method` ON `transactions` (`stored_method`) WHERE "transactions"."stored_method" is not null and "transactions"."settled_at" is null;--> statement-breakpoint
-- Earlier versions did not have the cards of subscriptions forgotten that were over. A job does. Its object is the oldest
-- organization, whose admins see it if it fails.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 9) || substr("id", 5, 4), 'payments.forget_unused', 'payments.forget_unused:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations" ORDER BY "id" LIMIT 1;
