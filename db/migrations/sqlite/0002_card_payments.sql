CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`organization_id` text NOT NULL,
	`object_id` text NOT NULL,
	`status` text NOT NULL,
	`run_at` integer NOT NULL,
	`lease` text,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "jobs_status" CHECK("jobs"."status" in ('waiting', 'dead'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `jobs_key` ON `jobs` (`key`);--> statement-breakpoint
CREATE INDEX `jobs_due` ON `jobs` (`run_at`) WHERE "jobs"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX `jobs_dead` ON `jobs` (`organization_id`,`updated_at`,`id`) WHERE "jobs"."status" = 'dead';--> statement-breakpoint
DROP INDEX `payments_expiry`;--> statement-breakpoint
ALTER TABLE `payments` ADD `action_url` text;--> statement-breakpoint
DROP INDEX `transactions_reconcile`;--> statement-breakpoint
ALTER TABLE `transactions` ADD `capture_requested` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `action_url` text;