ALTER TABLE `payments` ADD `usage_limit` integer DEFAULT 1;--> statement-breakpoint
ALTER TABLE `payments` ADD `uses_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `uses_reserved` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `custom_amount` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `parent_payment_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `place` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `payer_key` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `is_idle` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `many_declines_at` integer;--> statement-breakpoint
CREATE INDEX `payments_parent` ON `payments` (`parent_payment_id`,`created_at`,`id`) WHERE "payments"."parent_payment_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_links` ON `payments` (`organization_id`,`created_at`,`id`) WHERE usage_limit is null or usage_limit <> 1;