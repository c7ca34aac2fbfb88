ALTER TABLE `api_keys` ADD `prefix` text DEFAULT 'qtsk_' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `ip_allow` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `previous_hash` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `previous_until` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `rotated_at` integer;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_previous_hash` ON `api_keys` (`previous_hash`);