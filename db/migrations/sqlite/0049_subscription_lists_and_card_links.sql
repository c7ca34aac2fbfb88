CREATE TABLE `card_links` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`nonce` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `card_links_hash` ON `card_links` (`hash`);--> statement-breakpoint
PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "saved_views_list" CHECK("__new_saved_views"."list" in ('payment_requests', 'invoices', 'subscriptions', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_saved_views`("id", "user_id", "list", "name", "name_key", "filters", "created_at") SELECT "id", "user_id", "list", "name", "name_key", "filters", "created_at" FROM `saved_views`;--> statement-breakpoint
DROP TABLE `saved_views`;--> statement-breakpoint
ALTER TABLE `__new_saved_views` RENAME TO `saved_views`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`user_id`,`list`,`name_key`);--> statement-breakpoint
ALTER TABLE `stored_methods` ADD `card_link` text;--> statement-breakpoint
CREATE INDEX `subscriptions_past_due` ON `subscriptions` (`organization_id`,`created_at`,`id`) WHERE status = 'past_due';