CREATE TABLE `account_logos` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`image` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "account_logos_type" CHECK("account_logos"."type" in ('image/png', 'image/jpeg'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `account_logos_hash` ON `account_logos` (`hash`);