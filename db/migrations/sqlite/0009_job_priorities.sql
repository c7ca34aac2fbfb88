DROP INDEX `jobs_due`;--> statement-breakpoint
ALTER TABLE `jobs` ADD `priority` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`priority`,`run_at`) WHERE "jobs"."status" = 'waiting';
