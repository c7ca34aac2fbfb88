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
ALTER TABLE `stored_methods` ADD `card_link` text;