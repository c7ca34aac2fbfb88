CREATE TABLE `invoice_series` (
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`last_number` integer NOT NULL,
	`last_issue_date` text NOT NULL,
	PRIMARY KEY(`account_id`, `livemode`, `year`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_series_number" CHECK("invoice_series"."last_number" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `invoices` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`sequence` integer NOT NULL,
	`record` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoices_sequence_positive" CHECK("invoices"."sequence" > 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `invoices_sequence` ON `invoices` (`account_id`,`livemode`,`year`,`sequence`);--> statement-breakpoint
ALTER TABLE `payments` ADD `invoice` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `invoice_number` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `pdf_problem` text;