DROP INDEX `transactions_totals`;--> statement-breakpoint
ALTER TABLE `transactions` ADD `dispute_reference` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `unexpected_dispute` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `unexpected_dispute_at` integer;--> statement-breakpoint
CREATE INDEX `transactions_sums` ON `transactions` (`organization_id`,`status`,`created_at`,`id`,`type`,`capture_before`,`currency`,`amount`,`amount_captured`,`amount_disputed`,`uses_credit`);--> statement-breakpoint
CREATE INDEX `transactions_disputed` ON `transactions` (`organization_id`,`account_id`) WHERE dispute_status in ('open', 'lost');--> statement-breakpoint
CREATE INDEX `transactions_unexpected_dispute` ON `transactions` (`organization_id`,`created_at`,`id`) WHERE unexpected_dispute_at is not null;