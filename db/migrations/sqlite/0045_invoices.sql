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
ALTER TABLE `accounts` ADD `invoice_preferences` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `invoice` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `invoice_number` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `pdf_problem` text;
--> statement-breakpoint
CREATE TRIGGER `invoices_no_update` BEFORE UPDATE ON `invoices` BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `invoices_no_delete` BEFORE DELETE ON `invoices` BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `invoices_no_replace` BEFORE INSERT ON `invoices` WHEN EXISTS (SELECT 1 FROM invoices WHERE payment_id = NEW.payment_id) OR EXISTS (SELECT 1 FROM invoices WHERE account_id = NEW.account_id AND livemode = NEW.livemode AND year = NEW.year AND sequence = NEW.sequence) OR EXISTS (SELECT 1 FROM invoices WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
