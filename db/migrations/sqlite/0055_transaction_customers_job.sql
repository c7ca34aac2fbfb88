-- Earlier versions gave transactions without a payment request no customer. A job does. Its object is the oldest
-- organization, whose admins see it if it fails.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 10) || substr("id", 5, 5), 'transactions.customers', 'transactions.customers:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations" ORDER BY "id" LIMIT 1;
