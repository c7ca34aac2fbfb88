CREATE TABLE `credit_note_series` (
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`last_number` integer NOT NULL,
	`last_issue_date` text NOT NULL,
	PRIMARY KEY(`account_id`, `livemode`, `year`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_note_series_number" CHECK("credit_note_series"."last_number" > 0)
) STRICT;
--> statement-breakpoint
CREATE TABLE `credit_note_voids` (
	`credit_note_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE TABLE `credit_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`sequence` integer NOT NULL,
	`cause` text NOT NULL,
	`refund_id` text,
	`amount` integer NOT NULL,
	`pdf_problem` text,
	`record` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_notes_sequence_positive" CHECK("credit_notes"."sequence" > 0),
	CONSTRAINT "credit_notes_amount" CHECK("credit_notes"."amount" > 0),
	CONSTRAINT "credit_notes_refund" CHECK(("credit_notes"."cause" = 'refund') = ("credit_notes"."refund_id" is not null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `credit_notes_sequence` ON `credit_notes` (`account_id`,`livemode`,`year`,`sequence`);--> statement-breakpoint
CREATE INDEX `credit_notes_payment` ON `credit_notes` (`payment_id`);--> statement-breakpoint
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
	CONSTRAINT "saved_views_list" CHECK("__new_saved_views"."list" in ('payment_requests', 'invoices', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log'))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_saved_views`("id", "user_id", "list", "name", "name_key", "filters", "created_at") SELECT "id", "user_id", "list", "name", "name_key", "filters", "created_at" FROM `saved_views`;--> statement-breakpoint
DROP TABLE `saved_views`;--> statement-breakpoint
ALTER TABLE `__new_saved_views` RENAME TO `saved_views`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`user_id`,`list`,`name_key`);
--> statement-breakpoint
CREATE TRIGGER `credit_notes_no_update` BEFORE UPDATE ON `credit_notes` BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_no_delete` BEFORE DELETE ON `credit_notes` BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_no_replace` BEFORE INSERT ON `credit_notes` WHEN EXISTS (SELECT 1 FROM credit_notes WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM credit_notes WHERE account_id = NEW.account_id AND livemode = NEW.livemode AND year = NEW.year AND sequence = NEW.sequence) OR EXISTS (SELECT 1 FROM credit_notes WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_note_voids_no_update` BEFORE UPDATE ON `credit_note_voids` BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_note_voids_no_delete` BEFORE DELETE ON `credit_note_voids` BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `credit_note_voids_no_replace` BEFORE INSERT ON `credit_note_voids` WHEN EXISTS (SELECT 1 FROM credit_note_voids WHERE credit_note_id = NEW.credit_note_id) OR EXISTS (SELECT 1 FROM credit_note_voids WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
