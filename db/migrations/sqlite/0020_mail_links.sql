CREATE TABLE `email_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`seal` text,
	`nonce` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "email_links_kind" CHECK("email_links"."kind" in ('verify', 'change', 'undo'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `email_links_user` ON `email_links` (`user_id`,`kind`);--> statement-breakpoint
CREATE INDEX `email_links_address` ON `email_links` (`email_key`);--> statement-breakpoint
CREATE INDEX `email_links_expiry` ON `email_links` (`expires_at`);--> statement-breakpoint
ALTER TABLE `mails` ADD `user_id` text REFERENCES users(id);--> statement-breakpoint
CREATE INDEX `mails_user` ON `mails` (`user_id`);--> statement-breakpoint
ALTER TABLE `password_resets` ADD `nonce` text;--> statement-breakpoint
ALTER TABLE `password_resets` ADD `key_id` text;--> statement-breakpoint
CREATE INDEX `password_resets_expiry` ON `password_resets` (`expires_at`);