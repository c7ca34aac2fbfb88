CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "saved_views_list" CHECK("saved_views"."list" in ('payment_requests', 'transactions', 'accounts', 'users', 'invitations', 'mails', 'audit_log'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`user_id`,`list`,`name_key`);--> statement-breakpoint
ALTER TABLE `users` ADD `list_displays` text;