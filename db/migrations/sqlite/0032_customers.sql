CREATE TABLE `customer_words` (
	`customer_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`customer_id`, `word`),
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `customer_words_search` ON `customer_words` (`organization_id`,`word`,`customer_id`);--> statement-breakpoint
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`name` text,
	`email` text,
	`email_key` text,
	`request_email_key` text,
	`phone` text,
	`address` text,
	`tax_id` text,
	`reference` text,
	`locale` text,
	`metadata` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `customers_reference` ON `customers` (`account_id`,`reference`);--> statement-breakpoint
CREATE UNIQUE INDEX `customers_request_email` ON `customers` (`account_id`,`request_email_key`);--> statement-breakpoint
CREATE INDEX `customers_page` ON `customers` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `customers_account_page` ON `customers` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `customers_email` ON `customers` (`organization_id`,`email_key`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `customers_account_email` ON `customers` (`account_id`,`email_key`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `customers_organization_reference` ON `customers` (`organization_id`,`reference`,`created_at`,`id`);--> statement-breakpoint
ALTER TABLE `payments` ADD `customer_id` text;--> statement-breakpoint
CREATE INDEX `payments_customer` ON `payments` (`customer_id`,`created_at`,`id`) WHERE "payments"."customer_id" is not null;--> statement-breakpoint
-- Earlier versions knew no customers. A job finds or makes those of their payment requests. Its object is the oldest
-- organization, whose admins see it if it fails.
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "priority", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 8) || substr("id", 5, 3), 'payments.customers', 'payments.customers:' || "id", "id", "id", 'waiting', 1, "created_at", "created_at", "created_at"
FROM "organizations" ORDER BY "id" LIMIT 1;
