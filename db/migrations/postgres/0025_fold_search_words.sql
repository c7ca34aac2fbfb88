-- Earlier versions kept the accents of search words. A job completes the words of their records. Its object is the
-- oldest organization, whose admins see it if it fails.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 7) || substr("id", 5, 2), 'search.fold', 'search.fold:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations" ORDER BY "id" LIMIT 1;
