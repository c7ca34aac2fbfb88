CREATE TABLE `audit_seal_entries` (
	`seal_number` integer NOT NULL,
	`entry_id` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`seal_number`, `entry_id`),
	FOREIGN KEY (`seal_number`) REFERENCES `audit_seals`(`number`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `audit_seal_entries_entry` ON `audit_seal_entries` (`entry_id`);--> statement-breakpoint
CREATE TABLE `audit_seals` (
	`number` integer PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`entry_count` integer NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL
) STRICT;
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `previous_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `rotated_by` text;--> statement-breakpoint
CREATE INDEX `api_keys_unrevoked` ON `api_keys` (`organization_id`,`created_at`,`id`) WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
ALTER TABLE `organizations` ADD `default_currency` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `locale` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `timezone` text;--> statement-breakpoint
ALTER TABLE `organizations` ADD `step_up_amounts` text;--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_update` BEFORE UPDATE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_delete` BEFORE DELETE ON `audit_seals` BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seals_no_replace` BEFORE INSERT ON `audit_seals` WHEN EXISTS (SELECT 1 FROM `audit_seals` WHERE `number` = NEW.`number`) BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seal_entries_no_update` BEFORE UPDATE ON `audit_seal_entries` BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seal_entries_no_delete` BEFORE DELETE ON `audit_seal_entries` BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_seal_entries_no_replace` BEFORE INSERT ON `audit_seal_entries` WHEN EXISTS (SELECT 1 FROM `audit_seal_entries` WHERE `seal_number` = NEW.`seal_number` AND `entry_id` = NEW.`entry_id`) OR EXISTS (SELECT 1 FROM `audit_seal_entries` WHERE `entry_id` = NEW.`entry_id`) OR EXISTS (SELECT 1 FROM `audit_seal_entries` WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
