CREATE TABLE `customer_credit_uses` (
	`transaction_id` text NOT NULL,
	`credit_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`amount_given_back` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`transaction_id`, `credit_id`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`credit_id`) REFERENCES `customer_credits`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customer_credit_uses_kind" CHECK("customer_credit_uses"."kind" in ('spent', 'taken_back', 'given_back')),
	CONSTRAINT "customer_credit_uses_amount" CHECK("customer_credit_uses"."amount" between 1 and 999999999999),
	CONSTRAINT "customer_credit_uses_given_back" CHECK("customer_credit_uses"."amount_given_back" between 0 and "customer_credit_uses"."amount")
) STRICT;
--> statement-breakpoint
CREATE INDEX `customer_credit_uses_credit` ON `customer_credit_uses` (`credit_id`,`transaction_id`);--> statement-breakpoint
CREATE TABLE `customer_credits` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text NOT NULL,
	`currency` text NOT NULL,
	`livemode` integer NOT NULL,
	`amount` integer NOT NULL,
	`amount_left` integer NOT NULL,
	`amount_spent` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "customer_credits_amount" CHECK("customer_credits"."amount" between 1 and 999999999999),
	CONSTRAINT "customer_credits_currency" CHECK(length("customer_credits"."currency") = 3),
	CONSTRAINT "customer_credits_amounts" CHECK("customer_credits"."amount_left" >= 0 and "customer_credits"."amount_spent" >= 0 and "customer_credits"."amount_left" + "customer_credits"."amount_spent" <= "customer_credits"."amount")
) STRICT;
--> statement-breakpoint
CREATE INDEX `customer_credits_left` ON `customer_credits` (`customer_id`,`currency`,`created_at`,`id`) WHERE "customer_credits"."amount_left" > 0;--> statement-breakpoint
CREATE INDEX `customer_credits_customer` ON `customer_credits` (`customer_id`,`created_at`,`id`);--> statement-breakpoint
DROP INDEX `transactions_status_totals`;--> statement-breakpoint
ALTER TABLE `transactions` ADD `uses_credit` integer DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX `transactions_totals` ON `transactions` (`organization_id`,`status`,`created_at`,`id`,`type`,`capture_before`,`currency`,`amount`,`amount_captured`,`uses_credit`);--> statement-breakpoint
CREATE INDEX `transactions_credit` ON `transactions` (`payment_id`) WHERE uses_credit;--> statement-breakpoint
ALTER TABLE `payments` ADD `amount_credited` integer DEFAULT 0 NOT NULL;