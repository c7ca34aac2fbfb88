-- Earlier versions announced no payment request that is overdue. A job for each organization watches their due dates.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 11) || substr("id", 5, 6), 'payments.due_dates', 'payments.due_dates:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations";
