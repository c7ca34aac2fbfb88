CREATE INDEX "payments_expired" ON "payments" USING btree ("updated_at") WHERE status = 'expired';--> statement-breakpoint
-- Earlier versions took all that a capture released of a larger authorization for waived, and so showed a surplus that
-- nobody had paid; a job looks at each of these requests again.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT replace("id", 'pay_', 'job_'), 'payments.expire', 'payments.expire:' || "id", "organization_id", "id", 'waiting', 1, "updated_at", "updated_at", "updated_at"
FROM "payments"
WHERE "amount_waived" > 0 AND "amount_paid" + "amount_waived" > "amount"
ON CONFLICT ("key") DO UPDATE SET "status" = 'waiting', "run_at" = excluded."run_at", "lease" = NULL, "lease_ends_at" = NULL, "failures" = 0;
