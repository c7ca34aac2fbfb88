ALTER TABLE `jobs` ADD `progress` text;--> statement-breakpoint
-- Earlier versions knew no surplus and derived statuses and dates otherwise. A job looks at each payment request again.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 6) || substr("id", 5, 1), 'payments.recompute', 'payments.recompute:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations";
