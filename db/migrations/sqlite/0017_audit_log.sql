CREATE TABLE `audit_changes` (
	`entry_id` text NOT NULL,
	`field` text NOT NULL,
	`subject_id` text NOT NULL,
	`before` text,
	`after` text,
	`salt` text,
	PRIMARY KEY(`entry_id`, `field`),
	FOREIGN KEY (`entry_id`) REFERENCES `audit_entries`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_changes_subject` ON `audit_changes` (`subject_id`);--> statement-breakpoint
ALTER TABLE `audit_entries` ADD `user_agent` text;--> statement-breakpoint
CREATE INDEX `audit_entries_page` ON `audit_entries` (`organization_id`,`created_at`,`id`);