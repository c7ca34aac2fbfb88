DROP INDEX `transactions_processing`;--> statement-breakpoint
CREATE INDEX `transactions_under_way` ON `transactions` (`account_id`,`currency`) WHERE status in ('processing', 'requires_action');--> statement-breakpoint
ALTER TABLE `ledger_accounts` ADD `for_account_id` text REFERENCES accounts(id);--> statement-breakpoint
ALTER TABLE `ledger_accounts` ADD `livemode` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- INSERT OR REPLACE deletes the old row without its delete trigger, unless the connection says otherwise: refused here.
CREATE TRIGGER `journals_no_replace` BEFORE INSERT ON `journals` WHEN EXISTS (SELECT 1 FROM `journals` WHERE `id` = NEW.`id`) OR EXISTS (SELECT 1 FROM `journals` WHERE `reverses_journal_id` = NEW.`reverses_journal_id`) OR EXISTS (SELECT 1 FROM `journals` WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `postings_no_replace` BEFORE INSERT ON `postings` WHEN EXISTS (SELECT 1 FROM `postings` WHERE `ledger_account_id` = NEW.`ledger_account_id` AND `sequence` = NEW.`sequence`) OR EXISTS (SELECT 1 FROM `postings` WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_no_replace` BEFORE INSERT ON `audit_entries` WHEN EXISTS (SELECT 1 FROM `audit_entries` WHERE `id` = NEW.`id`) OR EXISTS (SELECT 1 FROM `audit_entries` WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `events_no_replace` BEFORE INSERT ON `events` WHEN EXISTS (SELECT 1 FROM `events` WHERE `id` = NEW.`id`) OR EXISTS (SELECT 1 FROM `events` WHERE `object_id` = NEW.`object_id` AND `sequence` = NEW.`sequence`) OR EXISTS (SELECT 1 FROM `events` WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_checkpoints_no_replace` BEFORE INSERT ON `ledger_checkpoints` WHEN EXISTS (SELECT 1 FROM `ledger_checkpoints` WHERE `number` = NEW.`number`) BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_checkpoint_heads_no_replace` BEFORE INSERT ON `ledger_checkpoint_heads` WHEN EXISTS (SELECT 1 FROM `ledger_checkpoint_heads` WHERE `checkpoint_number` = NEW.`checkpoint_number` AND `ledger_account_id` = NEW.`ledger_account_id`) OR EXISTS (SELECT 1 FROM `ledger_checkpoint_heads` WHERE rowid = NEW.rowid) BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
