-- What earlier versions derived otherwise: the end of an authorization that is closed is none of the request's.
UPDATE "payments" SET "capture_before" = (
  SELECT max("transactions"."capture_before") FROM "transactions"
  WHERE "transactions"."payment_id" = "payments"."id" AND "transactions"."type" = 'payment' AND "transactions"."status" = 'authorized'
) WHERE "capture_before" IS NOT NULL;--> statement-breakpoint
-- Refunds of a part hid that the rest waited for its payer or had run out of time; a job looks at each of them again.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT replace("id", 'pay_', 'job_'), 'payments.expire', 'payments.expire:' || "id", "organization_id", "id", 'waiting', 1, "updated_at", "updated_at", "updated_at"
FROM "payments"
WHERE ("status" IN ('refunded', 'partially_refunded') AND "amount_paid" + "amount_waived" < "amount")
OR ("status" = 'failed' AND EXISTS (
  SELECT 1 FROM "transactions"
  WHERE "transactions"."payment_id" = "payments"."id" AND "transactions"."type" = 'payment' AND "transactions"."status" = 'requires_action'
))
ON CONFLICT ("key") DO UPDATE SET "status" = 'waiting', "run_at" = excluded."run_at", "lease" = NULL, "failures" = 0;
