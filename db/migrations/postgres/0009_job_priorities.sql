DROP INDEX "jobs_due";--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "priority" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("priority","run_at") WHERE "jobs"."status" = 'waiting';--> statement-breakpoint
UPDATE "jobs" SET "priority" = 1 WHERE "kind" IN ('payments.expire', 'payments.words', 'payments.cancel_open');--> statement-breakpoint
UPDATE "jobs" SET "last_error" = NULL;
