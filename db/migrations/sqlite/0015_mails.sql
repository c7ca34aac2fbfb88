CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`payment_id` text,
	`kind` text NOT NULL,
	`message_id` text NOT NULL,
	`from_name` text NOT NULL,
	`reply_to` text,
	`to_address` text NOT NULL,
	`to_key` text NOT NULL,
	`subject` text NOT NULL,
	`text` text,
	`html` text,
	`link_purpose` text,
	`link_object_id` text,
	`is_automatic` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sent_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "mails_status" CHECK("mails"."status" in ('queued', 'sent', 'failed', 'held'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `mails_page` ON `mails` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `mails_account_page` ON `mails` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `mails_status_page` ON `mails` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `mails_payment` ON `mails` (`payment_id`);--> statement-breakpoint
CREATE INDEX `mails_recipient` ON `mails` (`organization_id`,`to_key`);--> statement-breakpoint
CREATE INDEX `mails_bodies` ON `mails` (`created_at`) WHERE "mails"."text" is not null;