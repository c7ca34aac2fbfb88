ALTER TABLE `payments` ADD `over_limit_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `link_requested_at` integer;--> statement-breakpoint
CREATE INDEX `payments_account_links` ON `payments` (`account_id`,`created_at`,`id`) WHERE usage_limit is null or usage_limit <> 1;--> statement-breakpoint
CREATE INDEX `payments_over_limit` ON `payments` (`organization_id`,`created_at`,`id`) WHERE over_limit_at is not null;--> statement-breakpoint
CREATE INDEX `payments_link_requested` ON `payments` (`organization_id`,`created_at`,`id`) WHERE link_requested_at is not null;