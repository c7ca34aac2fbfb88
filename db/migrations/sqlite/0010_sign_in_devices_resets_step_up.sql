CREATE TABLE `known_devices` (
	`user_id` text NOT NULL,
	`hash` text NOT NULL,
	`kind` text NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "known_devices_kind" CHECK("known_devices"."kind" in ('api', 'cookie'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `known_devices_expiry` ON `known_devices` (`expires_at`);--> statement-breakpoint
CREATE TABLE `nonces` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `password_resets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`seal` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `password_resets_hash` ON `password_resets` (`hash`);--> statement-breakpoint
CREATE TABLE `step_up_sums` (
	`session_id` text NOT NULL,
	`currency` text NOT NULL,
	`moves` text NOT NULL,
	PRIMARY KEY(`session_id`, `currency`)
) STRICT;
--> statement-breakpoint
ALTER TABLE `session_tokens` ADD `replay_until` integer;