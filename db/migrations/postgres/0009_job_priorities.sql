-- The version before still finds its jobs through the index that is renamed: a later release drops it.
ALTER TABLE "jobs" ADD COLUMN "priority" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER INDEX "jobs_due" RENAME TO "jobs_due_before_priorities";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "jobs_due" ON "jobs" USING btree ("priority","run_at") WHERE "jobs"."status" = 'waiting';
