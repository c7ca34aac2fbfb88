-- Earlier versions did not announce that a payment request is overdue. A job does, for due dates that lie ahead.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "due_at", "created_at", "updated_at")
SELECT 'job_' || substr("payments"."id", 12) || substr("payments"."id", 5, 7), 'payments.overdue', 'payments.overdue:' || "payments"."id", "payments"."organization_id", "payments"."id", 'waiting', 1,
  "due_at" + 1 - coalesce("offset_ms", 0), "due_at" + 1, "payments"."created_at", "payments"."created_at"
FROM "payments" LEFT JOIN "sandbox_clocks" ON "sandbox_clocks"."organization_id" = "payments"."organization_id"
WHERE "due_at" - coalesce("offset_ms", 0) >= unixepoch('subsec') * 1000
  AND "status" IN ('pending', 'partially_paid', 'requires_action', 'partially_refunded', 'refunded')
  AND "amount" > "amount_paid" + "amount_waived";
