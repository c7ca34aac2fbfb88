CREATE TABLE `payment_words` (
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`payment_id`, `word`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `payment_words_search` ON `payment_words` (`organization_id`,`word`,`payment_id`);--> statement-breakpoint
DROP INDEX `payments_status_page`;--> statement-breakpoint
CREATE INDEX `payments_status_page` ON `payments` (`organization_id`,`status`,`created_at`,`id`,`expires_at`,`capture_before`);--> statement-breakpoint
INSERT INTO `jobs` (`id`, `kind`, `key`, `organization_id`, `object_id`, `status`, `run_at`, `created_at`, `updated_at`)
SELECT 'job_' || substr(`id`, 5), 'payments.words', 'payments.words:' || `id`, `id`, `id`, 'waiting', `created_at`, `created_at`, `created_at`
FROM `organizations` WHERE `id` IN (SELECT `organization_id` FROM `payments`);