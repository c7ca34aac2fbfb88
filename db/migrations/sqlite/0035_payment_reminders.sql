CREATE TABLE `payment_reminders` (
	`payment_id` text NOT NULL,
	`offset_days` integer NOT NULL,
	`planned_at` integer NOT NULL,
	`sent_at` integer,
	`mail_id` text,
	`skipped_reason` text,
	PRIMARY KEY(`payment_id`, `offset_days`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_reminders_outcome" CHECK("payment_reminders"."sent_at" is null or "payment_reminders"."skipped_reason" is null)
) STRICT;
