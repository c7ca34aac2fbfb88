ALTER TABLE `totp_factors` ADD `next_secret` text;--> statement-breakpoint
ALTER TABLE `totp_factors` ADD `next_created_at` integer;