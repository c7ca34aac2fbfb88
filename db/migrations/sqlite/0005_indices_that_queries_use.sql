DROP INDEX `audit_entries_page`;--> statement-breakpoint
DROP INDEX `events_page`;--> statement-breakpoint
DROP INDEX `journals_page`;--> statement-breakpoint
DROP INDEX `journals_reverses`;--> statement-breakpoint
CREATE UNIQUE INDEX `journals_reverses` ON `journals` (`reverses_journal_id`) WHERE "journals"."reverses_journal_id" is not null;--> statement-breakpoint
DROP INDEX `transactions_status_page`;--> statement-breakpoint
CREATE INDEX `transactions_status_page` ON `transactions` (`organization_id`,`status`,`created_at`,`id`,`type`,`capture_before`);