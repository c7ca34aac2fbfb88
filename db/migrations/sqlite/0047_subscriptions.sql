CREATE TABLE `stored_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text,
	`payment_id` text NOT NULL,
	`transaction_id` text,
	`status` text NOT NULL,
	`provider` text NOT NULL,
	`provider_reference` text,
	`attempt_reference` text,
	`attempt_key` text,
	`start_before` integer,
	`action_url` text,
	`payment_method` text,
	`failure` text,
	`livemode` integer NOT NULL,
	`settled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "stored_methods_status" CHECK("stored_methods"."status" in ('processing', 'requires_action', 'stored', 'failed'))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `stored_methods_attempt` ON `stored_methods` (`attempt_key`) WHERE "stored_methods"."attempt_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `stored_methods_transaction` ON `stored_methods` (`transaction_id`) WHERE "stored_methods"."transaction_id" is not null;--> statement-breakpoint
CREATE INDEX `stored_methods_payment` ON `stored_methods` (`payment_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `stored_methods_customer` ON `stored_methods` (`customer_id`) WHERE "stored_methods"."customer_id" is not null;--> statement-breakpoint
CREATE TABLE `subscription_cycles` (
	`subscription_id` text NOT NULL,
	`cycle` integer NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`amount` integer NOT NULL,
	`period_start` integer NOT NULL,
	`period_end` integer NOT NULL,
	`is_missed` integer DEFAULT false NOT NULL,
	`paid_at` integer,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`subscription_id`, `cycle`),
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `subscription_cycles_payment` ON `subscription_cycles` (`payment_id`);--> statement-breakpoint
CREATE INDEX `subscription_cycles_missed` ON `subscription_cycles` (`organization_id`,`created_at`) WHERE is_missed and paid_at is null;--> statement-breakpoint
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text,
	`status` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`interval` text NOT NULL,
	`interval_count` integer NOT NULL,
	`cycles` integer,
	`cycles_begun` integer DEFAULT 0 NOT NULL,
	`cycles_done` integer DEFAULT 0 NOT NULL,
	`next_cycle` integer DEFAULT 1 NOT NULL,
	`anchor_at` integer,
	`timezone` text NOT NULL,
	`trial_ends_at` integer,
	`trial_notice_at` integer,
	`current_period_start` integer,
	`current_period_end` integer,
	`next_charge_at` integer,
	`failed_at` integer,
	`retries` integer DEFAULT 0 NOT NULL,
	`retry_at` integer,
	`is_method_refused` integer DEFAULT false NOT NULL,
	`attempt_id` text,
	`method_id` text,
	`resume_at` integer,
	`cancel_at_period_end` integer DEFAULT false NOT NULL,
	`canceled_at` integer,
	`ended_at` integer,
	`end_reason` text,
	`first_payment_id` text NOT NULL,
	`latest_payment_id` text NOT NULL,
	`metadata` text NOT NULL,
	`livemode` integer NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`method_id`) REFERENCES `stored_methods`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`first_payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`latest_payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'ended')),
	CONSTRAINT "subscriptions_amount" CHECK("subscriptions"."amount" between 1 and 999999999999),
	CONSTRAINT "subscriptions_currency" CHECK(length("subscriptions"."currency") = 3),
	CONSTRAINT "subscriptions_cycles" CHECK("subscriptions"."cycles_done" between 0 and "subscriptions"."cycles_begun")
) STRICT;
--> statement-breakpoint
CREATE INDEX `subscriptions_page` ON `subscriptions` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_account_page` ON `subscriptions` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`,`created_at`,`id`) WHERE "subscriptions"."customer_id" is not null;--> statement-breakpoint
ALTER TABLE `organizations` ADD `catch_up` text DEFAULT 'latest' NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `is_trial` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `is_renewal` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `subscription_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `stored_method` text;