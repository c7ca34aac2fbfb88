INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 5), 'payments.lookup', 'payments.lookup:' || "id", "organization_id", "id", 'waiting', "reconcile_after", "created_at", "updated_at"
FROM "transactions" WHERE "reconcile_after" IS NOT NULL;--> statement-breakpoint
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 5), 'payments.expire', 'payments.expire:' || "id", "organization_id", "id", 'waiting', "expires_at", "created_at", "updated_at"
FROM "payments" WHERE "expires_at" IS NOT NULL AND "status" IN ('pending', 'partially_paid', 'requires_action', 'processing');--> statement-breakpoint
ALTER TABLE "transactions" DROP COLUMN "reconcile_after";