CREATE TABLE `sandbox_clocks` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`offset_ms` integer DEFAULT 0 NOT NULL,
	`is_running` integer DEFAULT false NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
ALTER TABLE `jobs` ADD `due_at` integer;--> statement-breakpoint
CREATE INDEX `jobs_acts` ON `jobs` (`organization_id`,`due_at`,`id`) WHERE "jobs"."status" = 'waiting' and "jobs"."due_at" is not null;