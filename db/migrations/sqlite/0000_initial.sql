-- Generated from db/schema and db/triggers by npm run db:generate.
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`members_record_payments` integer DEFAULT false NOT NULL,
	`default_currency` text,
	`locale` text,
	`timezone` text,
	`step_up_amounts` text,
	`require_mfa` text DEFAULT 'none' NOT NULL,
	`catch_up` text DEFAULT 'latest' NOT NULL,
	`after_lost_dispute` text DEFAULT 'wait' NOT NULL,
	`invoice_retention_years` integer DEFAULT 10 NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "organizations_mode" CHECK("organizations"."mode" in ('sandbox', 'live'))
) STRICT;
CREATE TABLE `sandbox_clocks` (
	`organization_id` text PRIMARY KEY NOT NULL,
	`offset_ms` integer DEFAULT 0 NOT NULL,
	`is_running` integer DEFAULT false NOT NULL,
	`moved_from` integer DEFAULT 0 NOT NULL,
	`storm_until` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`email` text NOT NULL,
	`email_key` text,
	`email_verified_at` integer,
	`name` text,
	`search_text` text NOT NULL,
	`password_hash` text,
	`has_given_password` integer DEFAULT false NOT NULL,
	`role` text NOT NULL,
	`locale` text,
	`timezone` text,
	`list_displays` text,
	`status` text NOT NULL,
	`mfa_enabled` integer DEFAULT false NOT NULL,
	`last_login_at` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" in ('member', 'viewer', 'operator', 'admin')),
	CONSTRAINT "users_status" CHECK("users"."status" in ('active', 'removed')),
	CONSTRAINT "users_removed" CHECK(("users"."status" = 'removed') = ("users"."email_key" is null))
) STRICT;
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);
CREATE INDEX `users_page` ON `users` (`organization_id`,`created_at`,`id`);
CREATE INDEX `users_admins` ON `users` (`organization_id`,`id`,`mfa_enabled`) WHERE "users"."role" in ('admin') and "users"."status" = 'active';
CREATE INDEX `users_account` ON `users` (`account_id`);
CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`owner_user_id` text,
	`account_type` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`search_text` text NOT NULL,
	`preferences` text NOT NULL,
	`invoice_preferences` text,
	`numbering_key` text,
	`metadata` text NOT NULL,
	`status` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`orphaned_at` integer,
	`closed_at` integer,
	`close_reason` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`owner_user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "accounts_type" CHECK("accounts"."account_type" in ('individual', 'business')),
	CONSTRAINT "accounts_status" CHECK("accounts"."status" in ('open', 'closed')),
	CONSTRAINT "accounts_closed" CHECK(("accounts"."status" = 'closed') = ("accounts"."closed_at" is not null))
) STRICT;
CREATE INDEX `accounts_page` ON `accounts` (`organization_id`,`created_at`,`id`);
CREATE INDEX `accounts_email` ON `accounts` (`organization_id`,`email_key`,`created_at`,`id`);
CREATE INDEX `accounts_orphaned` ON `accounts` (`organization_id`,`id`) WHERE ("accounts"."orphaned_at" is not null and "accounts"."status" = 'open');
CREATE INDEX `accounts_owner` ON `accounts` (`owner_user_id`,`status`);
CREATE INDEX `accounts_numbering` ON `accounts` (`organization_id`,`numbering_key`,`status`,`id`) WHERE "accounts"."numbering_key" is not null;
CREATE TABLE `account_logos` (
	`account_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`type` text NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`image` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "account_logos_type" CHECK("account_logos"."type" in ('image/png', 'image/jpeg'))
) STRICT;
CREATE INDEX `account_logos_hash` ON `account_logos` (`hash`);
CREATE TABLE `numbering_claims` (
	`organization_id` text NOT NULL,
	`numbering_key` text NOT NULL,
	`livemode` integer NOT NULL,
	`account_id` text NOT NULL,
	PRIMARY KEY(`organization_id`, `numbering_key`, `livemode`),
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `invoice_prefixes` (
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`prefix` text NOT NULL,
	`first_issued_at` integer NOT NULL,
	PRIMARY KEY(`account_id`, `livemode`, `prefix`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`created_by` text,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`prefix` text NOT NULL,
	`last4` text NOT NULL,
	`scopes` text NOT NULL,
	`ip_allow` text,
	`previous_hash` text,
	`previous_until` integer,
	`previous_by` text,
	`rotated_at` integer,
	`rotated_by` text,
	`last_used_at` integer,
	`expires_at` integer,
	`revoked_at` integer,
	`revoke_reason` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);
CREATE UNIQUE INDEX `api_keys_previous_hash` ON `api_keys` (`previous_hash`);
CREATE INDEX `api_keys_page` ON `api_keys` (`organization_id`,`created_at`,`id`);
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);
CREATE INDEX `api_keys_creator` ON `api_keys` (`created_by`);
CREATE INDEX `api_keys_unrevoked` ON `api_keys` (`organization_id`,`created_at`,`id`) WHERE "api_keys"."revoked_at" is null;
CREATE TABLE `customers` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`name` text,
	`email` text,
	`email_key` text,
	`request_email_key` text,
	`phone` text,
	`address` text,
	`tax_id` text,
	`reference` text,
	`locale` text,
	`metadata` text NOT NULL,
	`merged_into` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	`erased_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `customers_reference` ON `customers` (`account_id`,`reference`);
CREATE UNIQUE INDEX `customers_request_email` ON `customers` (`account_id`,`request_email_key`);
CREATE INDEX `customers_changed` ON `customers` (`organization_id`,`changed_at`,`id`);
CREATE INDEX `customers_page` ON `customers` (`organization_id`,`created_at`,`id`);
CREATE INDEX `customers_sample` ON `customers` (`organization_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `customers_account_sample` ON `customers` (`account_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `customers_account_page` ON `customers` (`account_id`,`created_at`,`id`);
CREATE INDEX `customers_email` ON `customers` (`organization_id`,`email_key`,`created_at`,`id`);
CREATE INDEX `customers_account_email` ON `customers` (`account_id`,`email_key`,`created_at`,`id`);
CREATE INDEX `customers_organization_reference` ON `customers` (`organization_id`,`reference`,`created_at`,`id`);
CREATE INDEX `customers_erased` ON `customers` (`account_id`,`erased_at`) WHERE "customers"."erased_at" is not null;
CREATE INDEX `customers_merged` ON `customers` (`merged_into`) WHERE "customers"."merged_into" is not null;
CREATE TABLE `customer_words` (
	`customer_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`customer_id`, `word`),
	FOREIGN KEY (`customer_id`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `customer_words_search` ON `customer_words` (`organization_id`,`word`,`customer_id`);
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` integer,
	`currency` text NOT NULL,
	`amount_paid` integer DEFAULT 0 NOT NULL,
	`amount_authorized` integer DEFAULT 0 NOT NULL,
	`amount_capturable` integer DEFAULT 0 NOT NULL,
	`amount_released` integer DEFAULT 0 NOT NULL,
	`amount_waived` integer DEFAULT 0 NOT NULL,
	`amount_refunded` integer DEFAULT 0 NOT NULL,
	`amount_disputed` integer DEFAULT 0 NOT NULL,
	`dispute_status` text DEFAULT 'none' NOT NULL,
	`amount_credited` integer DEFAULT 0 NOT NULL,
	`amount_overpaid` integer DEFAULT 0 NOT NULL,
	`amount_lost` integer DEFAULT 0 NOT NULL,
	`amount_reopened` integer DEFAULT 0 NOT NULL,
	`amount_written_off` integer DEFAULT 0 NOT NULL,
	`write_off_reason` text,
	`paid_late_at` integer,
	`attempt_count` integer DEFAULT 0 NOT NULL,
	`description` text,
	`reference` text,
	`customer` text,
	`customer_id` text,
	`customer_email_key` text,
	`line_items` text NOT NULL,
	`subscription` text,
	`is_trial` integer DEFAULT false NOT NULL,
	`is_renewal` integer DEFAULT false NOT NULL,
	`subscription_id` text,
	`capture_method` text NOT NULL,
	`allow_partial` integer DEFAULT false NOT NULL,
	`minimum_amount` integer,
	`installments` text,
	`usage_limit` integer DEFAULT 1,
	`uses_count` integer DEFAULT 0 NOT NULL,
	`uses_reserved` integer DEFAULT 0 NOT NULL,
	`custom_amount` text,
	`parent_payment_id` text,
	`place` text,
	`payer_key` text,
	`is_idle` integer DEFAULT false NOT NULL,
	`many_declines_at` integer,
	`paused_at` integer,
	`expires_alone` integer DEFAULT false NOT NULL,
	`came_late_at` integer,
	`over_limit_at` integer,
	`link_requested_at` integer,
	`link_request_mail_id` text,
	`reminder_waits_since` integer,
	`link_answered_at` integer,
	`invoice` text,
	`invoice_number` text,
	`pdf_problem` text,
	`capture_before` integer,
	`success_url` text,
	`cancel_url` text,
	`locale` text,
	`metadata` text NOT NULL,
	`last_error` text,
	`action_url` text,
	`canceled_at` integer,
	`cancellation_reason` text,
	`failed_at` integer,
	`cards_allowed_at` integer,
	`draft` text,
	`paid_at` integer,
	`viewed_at` integer,
	`due_at` integer,
	`expires_at` integer,
	`extended_at` integer,
	`livemode` integer NOT NULL,
	`link_hash` text,
	`link_nonce` text,
	`link_key_id` text,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_draft" CHECK(("payments"."draft" is not null) = ("payments"."link_hash" is null)),
	CONSTRAINT "payments_link_nonce" CHECK(("payments"."link_nonce" is null) = ("payments"."link_hash" is null)),
	CONSTRAINT "payments_link_key" CHECK(("payments"."link_key_id" is null) = ("payments"."link_hash" is null)),
	CONSTRAINT "payments_type" CHECK("payments"."type" in ('product', 'subscription', 'invoice')),
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('draft', 'pending', 'requires_action', 'processing', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'disputed', 'failed', 'canceled', 'expired')),
	CONSTRAINT "payments_capture_method" CHECK("payments"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount" between 1 and 999999999999),
	CONSTRAINT "payments_custom_amount" CHECK(("payments"."amount" is null) = ("payments"."custom_amount" is not null)),
	CONSTRAINT "payments_currency" CHECK(length("payments"."currency") = 3),
	CONSTRAINT "payments_amounts" CHECK("payments"."amount_paid" >= 0 and "payments"."amount_refunded" between 0 and "payments"."amount_paid" and "payments"."amount_capturable" >= 0 and "payments"."amount_released" >= 0)
) STRICT;
CREATE UNIQUE INDEX `payments_link` ON `payments` (`link_hash`);
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`account_id`,`reference`);
CREATE INDEX `payments_changed` ON `payments` (`organization_id`,`changed_at`,`id`);
CREATE INDEX `payments_page` ON `payments` (`organization_id`,`created_at`,`id`);
CREATE INDEX `payments_sample` ON `payments` (`organization_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `payments_account_sample` ON `payments` (`account_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `payments_account_page` ON `payments` (`account_id`,`created_at`,`id`);
CREATE INDEX `payments_status_page` ON `payments` (`organization_id`,`status`,`created_at`,`id`,`expires_at`,`capture_before`);
CREATE INDEX `payments_due` ON `payments` (`organization_id`,`type`,`created_at`,`id`,`status`,`due_at`,`expires_at`) WHERE "payments"."due_at" is not null and "payments"."status" in ('pending', 'partially_paid', 'requires_action', 'failed');
CREATE INDEX `payments_expired` ON `payments` (`updated_at`) WHERE status = 'expired';
CREATE INDEX `payments_customer_email` ON `payments` (`organization_id`,`customer_email_key`,`created_at`,`id`);
CREATE INDEX `payments_held` ON `payments` (`parent_payment_id`,`payer_key`) WHERE "payments"."place" = 'held';
CREATE INDEX `payments_subscription` ON `payments` (`subscription_id`,`created_at`,`id`) WHERE "payments"."subscription_id" is not null;
CREATE INDEX `payments_parent` ON `payments` (`parent_payment_id`,`created_at`,`id`) WHERE "payments"."parent_payment_id" is not null;
CREATE INDEX `payments_links` ON `payments` (`organization_id`,`created_at`,`id`) WHERE usage_limit is null or usage_limit <> 1;
CREATE INDEX `payments_account_links` ON `payments` (`account_id`,`created_at`,`id`) WHERE usage_limit is null or usage_limit <> 1;
CREATE INDEX `payments_overpaid` ON `payments` (`organization_id`,`created_at`,`id`) WHERE "payments"."amount_overpaid" > 0;
CREATE INDEX `payments_lost` ON `payments` (`organization_id`,`created_at`,`id`) WHERE "payments"."amount_lost" > 0;
CREATE INDEX `payments_paid_late` ON `payments` (`organization_id`,`created_at`,`id`) WHERE paid_late_at is not null;
CREATE INDEX `payments_over_limit` ON `payments` (`organization_id`,`created_at`,`id`) WHERE over_limit_at is not null;
CREATE INDEX `payments_reminder_waiting` ON `payments` (`organization_id`,`created_at`,`id`) WHERE reminder_waits_since is not null;
CREATE INDEX `payments_link_requested` ON `payments` (`organization_id`,`created_at`,`id`) WHERE link_requested_at is not null;
CREATE INDEX `payments_customer` ON `payments` (`customer_id`,`created_at`,`id`) WHERE "payments"."customer_id" is not null;
CREATE TABLE `payment_words` (
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`payment_id`, `word`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `payment_words_search` ON `payment_words` (`organization_id`,`word`,`payment_id`);
CREATE TABLE `payment_reminders` (
	`payment_id` text NOT NULL,
	`offset_days` integer NOT NULL,
	`due_at` integer NOT NULL,
	`planned_at` integer NOT NULL,
	`waiting_until` integer,
	`sent_at` integer,
	`mail_id` text,
	`skipped_reason` text,
	PRIMARY KEY(`payment_id`, `offset_days`),
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payment_reminders_outcome" CHECK("payment_reminders"."sent_at" is null or "payment_reminders"."skipped_reason" is null)
) STRICT;
CREATE TABLE `sandbox_operations` (
	`reference` text PRIMARY KEY NOT NULL,
	`idempotency_key` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`charge_reference` text,
	`amount` integer NOT NULL,
	`amount_captured` integer DEFAULT 0 NOT NULL,
	`currency` text NOT NULL,
	`outcome` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "sandbox_operations_kind" CHECK("sandbox_operations"."kind" in ('charge', 'refund'))
) STRICT;
CREATE UNIQUE INDEX `sandbox_operations_key` ON `sandbox_operations` (`kind`,`idempotency_key`);
CREATE INDEX `sandbox_operations_charge` ON `sandbox_operations` (`charge_reference`);
CREATE TABLE `transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`direction` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`fee_amount` integer DEFAULT 0 NOT NULL,
	`amount_authorized` integer DEFAULT 0 NOT NULL,
	`amount_captured` integer DEFAULT 0 NOT NULL,
	`amount_released` integer DEFAULT 0 NOT NULL,
	`amount_refunded` integer DEFAULT 0 NOT NULL,
	`amount_refunding` integer DEFAULT 0 NOT NULL,
	`amount_disputed` integer DEFAULT 0 NOT NULL,
	`dispute_status` text DEFAULT 'none' NOT NULL,
	`dispute_reference` text,
	`unexpected_dispute` text,
	`unexpected_dispute_at` integer,
	`late_at` integer,
	`amount_surplus` integer DEFAULT 0 NOT NULL,
	`uses_credit` integer DEFAULT false NOT NULL,
	`payment_id` text,
	`parent_transaction_id` text,
	`destination_account_id` text,
	`payment_method` text,
	`card_last4` text,
	`provider` text,
	`provider_reference` text,
	`failure` text,
	`reason` text,
	`reference` text,
	`description` text,
	`customer_id` text,
	`customer` text,
	`customer_email_key` text,
	`customer_reference` text,
	`metadata` text NOT NULL,
	`effective_at` integer NOT NULL,
	`livemode` integer NOT NULL,
	`capture_before` integer,
	`start_before` integer,
	`stored_method` text,
	`card_before` text,
	`attempt_key` text,
	`capture_requested` integer,
	`action_url` text,
	`settled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`destination_account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transactions_type" CHECK("transactions"."type" in ('payment', 'credit', 'refund', 'transfer', 'adjustment')),
	CONSTRAINT "transactions_status" CHECK("transactions"."status" in ('pending', 'requires_action', 'processing', 'authorized', 'succeeded', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'failed', 'canceled', 'expired', 'reversed')),
	CONSTRAINT "transactions_direction" CHECK("transactions"."direction" in ('in', 'out')),
	CONSTRAINT "transactions_amount" CHECK("transactions"."amount" between 1 and 999999999999),
	CONSTRAINT "transactions_currency" CHECK(length("transactions"."currency") = 3),
	CONSTRAINT "transactions_refunds" CHECK("transactions"."amount_refunded" >= 0 and "transactions"."amount_refunding" >= 0 and "transactions"."amount_refunded" + "transactions"."amount_refunding" <= "transactions"."amount_captured"),
	CONSTRAINT "transactions_transfer" CHECK(("transactions"."type" = 'transfer') = ("transactions"."destination_account_id" is not null)),
	CONSTRAINT "transactions_refund" CHECK(("transactions"."type" = 'refund') = ("transactions"."parent_transaction_id" is not null))
) STRICT;
CREATE INDEX `transactions_changed` ON `transactions` (`organization_id`,`changed_at`,`id`);
CREATE UNIQUE INDEX `transactions_reference` ON `transactions` (`account_id`,`reference`) WHERE "transactions"."reference" is not null;
CREATE UNIQUE INDEX `transactions_provider` ON `transactions` (`provider`,`provider_reference`,`type`) WHERE "transactions"."provider_reference" is not null;
CREATE INDEX `transactions_page` ON `transactions` (`organization_id`,`created_at`,`id`);
CREATE INDEX `transactions_sample` ON `transactions` (`organization_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `transactions_account_sample` ON `transactions` (`account_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `transactions_amount_page` ON `transactions` (`organization_id`,`amount`,`created_at`,`id`);
CREATE INDEX `transactions_account_page` ON `transactions` (`account_id`,`created_at`,`id`);
CREATE INDEX `transactions_destination_page` ON `transactions` (`destination_account_id`,`created_at`,`id`) WHERE "transactions"."destination_account_id" is not null;
CREATE INDEX `transactions_sums` ON `transactions` (`organization_id`,`status`,`created_at`,`id`,`type`,`capture_before`,`currency`,`amount`,`amount_captured`,`amount_disputed`,`uses_credit`);
CREATE INDEX `transactions_disputed` ON `transactions` (`organization_id`,`account_id`) WHERE dispute_status in ('open', 'lost');
CREATE INDEX `transactions_disputed_page` ON `transactions` (`organization_id`,`created_at`,`id`) WHERE dispute_status in ('open', 'lost');
CREATE INDEX `transactions_stored_method` ON `transactions` (`stored_method`) WHERE "transactions"."stored_method" is not null and "transactions"."settled_at" is null;
CREATE INDEX `transactions_unexpected_dispute` ON `transactions` (`organization_id`,`created_at`,`id`) WHERE unexpected_dispute_at is not null;
CREATE INDEX `transactions_settled_late` ON `transactions` (`organization_id`,`settled_at`,`created_at`) WHERE settled_at - created_at > 691200000;
CREATE INDEX `transactions_credit` ON `transactions` (`payment_id`) WHERE uses_credit;
CREATE UNIQUE INDEX `transactions_attempt` ON `transactions` (`attempt_key`) WHERE "transactions"."attempt_key" is not null;
CREATE INDEX `transactions_payment` ON `transactions` (`payment_id`,`organization_id`,`created_at`,`id`) WHERE "transactions"."payment_id" is not null;
CREATE INDEX `transactions_parent` ON `transactions` (`parent_transaction_id`,`organization_id`,`created_at`,`id`) WHERE "transactions"."parent_transaction_id" is not null;
CREATE INDEX `transactions_under_way` ON `transactions` (`account_id`,`currency`) WHERE status in ('processing', 'requires_action');
CREATE INDEX `transactions_customer` ON `transactions` (`customer_id`,`created_at`,`id`) WHERE "transactions"."customer_id" is not null;
CREATE INDEX `transactions_customer_email` ON `transactions` (`organization_id`,`customer_email_key`,`created_at`,`id`) WHERE "transactions"."customer_email_key" is not null;
CREATE INDEX `transactions_customer_reference` ON `transactions` (`organization_id`,`customer_reference`,`created_at`,`id`) WHERE "transactions"."customer_reference" is not null;
CREATE INDEX `transactions_card` ON `transactions` (`organization_id`,`card_last4`,`created_at`,`id`) WHERE "transactions"."card_last4" is not null;
CREATE INDEX `transactions_reference_page` ON `transactions` (`organization_id`,`reference`,`created_at`,`id`) WHERE "transactions"."reference" is not null;
CREATE TABLE `transaction_tags` (
	`transaction_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`scope` text NOT NULL,
	`key` text NOT NULL,
	`value` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`transaction_id`, `scope`, `key`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "transaction_tags_scope" CHECK("transaction_tags"."scope" in ('metadata', 'customer'))
) STRICT;
CREATE INDEX `transaction_tags_search` ON `transaction_tags` (`organization_id`,`scope`,`key`,`value`,`created_at`,`transaction_id`);
CREATE TABLE `transaction_words` (
	`transaction_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `word`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `transaction_words_search` ON `transaction_words` (`organization_id`,`word`,`transaction_id`);
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
CREATE INDEX `customer_credits_left` ON `customer_credits` (`customer_id`,`currency`,`created_at`,`id`) WHERE "customer_credits"."amount_left" > 0;
CREATE INDEX `customer_credits_customer` ON `customer_credits` (`customer_id`,`created_at`,`id`);
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
CREATE INDEX `customer_credit_uses_credit` ON `customer_credit_uses` (`credit_id`,`transaction_id`);
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`created_at` integer NOT NULL,
	`authenticated_at` integer NOT NULL,
	`last_seen_at` integer NOT NULL,
	`idle_until` integer,
	`absolute_until` integer NOT NULL,
	`ip` text,
	`user_agent` text,
	`device_id` text,
	`device_anomalies` integer DEFAULT 0 NOT NULL,
	`client_version` text,
	`generation` integer DEFAULT 0 NOT NULL,
	`exchanges` integer DEFAULT 0 NOT NULL,
	`nonce` text NOT NULL,
	`ended_at` integer,
	`end_reason` text,
	`end_reason_text` text,
	`ended_by` text,
	`revoked_tokens` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "sessions_kind" CHECK("sessions"."kind" in ('api', 'cookie')),
	CONSTRAINT "sessions_status" CHECK("sessions"."status" in ('active', 'ended')),
	CONSTRAINT "sessions_ended" CHECK(("sessions"."status" = 'ended') = ("sessions"."ended_at" is not null))
) STRICT;
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`status`,`created_at`);
CREATE INDEX `sessions_last_seen` ON `sessions` (`user_id`,`last_seen_at`) WHERE "sessions"."status" = 'ended';
CREATE INDEX `sessions_page` ON `sessions` (`organization_id`,`created_at`,`id`);
CREATE INDEX `sessions_over` ON `sessions` (coalesce("ended_at", "absolute_until"));
CREATE TABLE `session_tokens` (
	`hash` text PRIMARY KEY NOT NULL,
	`session_id` text NOT NULL,
	`kind` text NOT NULL,
	`generation` integer NOT NULL,
	`exchange` integer NOT NULL,
	`last4` text NOT NULL,
	`issued_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`spent_at` integer,
	`exchange_key` text,
	`exchange_request` text,
	`exchange_rotated` integer,
	`replay_until` integer,
	`revoked_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "session_tokens_kind" CHECK("session_tokens"."kind" in ('access', 'refresh', 'cookie'))
) STRICT;
CREATE INDEX `session_tokens_session` ON `session_tokens` (`session_id`,`exchange_key`);
CREATE TABLE `step_up_sums` (
	`session_id` text NOT NULL,
	`currency` text NOT NULL,
	`moves` text NOT NULL,
	PRIMARY KEY(`session_id`, `currency`)
) STRICT;
CREATE TABLE `throttles` (
	`bucket` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`resets_at` integer NOT NULL
) STRICT;
CREATE INDEX `throttles_resets` ON `throttles` (`resets_at`);
CREATE TABLE `known_devices` (
	`user_id` text NOT NULL,
	`hash` text NOT NULL,
	`kind` text NOT NULL,
	`seen_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "known_devices_kind" CHECK("known_devices"."kind" in ('api', 'cookie'))
) STRICT;
CREATE INDEX `known_devices_expiry` ON `known_devices` (`expires_at`);
CREATE TABLE `password_resets` (
	`user_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`seal` text NOT NULL,
	`nonce` text,
	`key_id` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `password_resets_hash` ON `password_resets` (`hash`);
CREATE INDEX `password_resets_expiry` ON `password_resets` (`expires_at`);
CREATE TABLE `email_links` (
	`hash` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`seal` text,
	`nonce` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "email_links_kind" CHECK("email_links"."kind" in ('verify', 'change', 'undo'))
) STRICT;
CREATE INDEX `email_links_user` ON `email_links` (`user_id`,`kind`);
CREATE INDEX `email_links_address` ON `email_links` (`email_key`);
CREATE INDEX `email_links_expiry` ON `email_links` (`expires_at`);
CREATE TABLE `nonces` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL
) STRICT;
CREATE TABLE `totp_factors` (
	`user_id` text PRIMARY KEY NOT NULL,
	`secret` text NOT NULL,
	`created_at` integer NOT NULL,
	`confirmed_at` integer,
	`last_step` integer,
	`next_secret` text,
	`next_created_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `recovery_codes` (
	`user_id` text NOT NULL,
	`hash` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `hash`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`credential_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`name` text NOT NULL,
	`is_synced` integer NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `passkeys_credential` ON `passkeys` (`credential_id`);
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);
CREATE TABLE `passkey_challenges` (
	`hash` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "passkey_challenges_purpose" CHECK("passkey_challenges"."purpose" in ('register', 'sign_in'))
) STRICT;
CREATE INDEX `passkey_challenges_expiry` ON `passkey_challenges` (`expires_at`);
CREATE INDEX `passkey_challenges_user` ON `passkey_challenges` (`user_id`);
CREATE TABLE `invitations` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`name` text,
	`role` text NOT NULL,
	`account_fields` text,
	`locale` text,
	`invited_by` text,
	`hash` text NOT NULL,
	`nonce` text NOT NULL,
	`key_id` text NOT NULL,
	`mail_hash` text NOT NULL,
	`mail_nonce` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`accepted_at` integer,
	`accepted_by` text,
	`revoked_at` integer,
	`revoke_reason` text,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`invited_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`accepted_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invitations_role" CHECK("invitations"."role" in ('member', 'viewer', 'operator', 'admin'))
) STRICT;
CREATE UNIQUE INDEX `invitations_hash` ON `invitations` (`hash`);
CREATE UNIQUE INDEX `invitations_mail_hash` ON `invitations` (`mail_hash`);
CREATE INDEX `invitations_page` ON `invitations` (`organization_id`,`created_at`,`id`);
CREATE INDEX `invitations_address` ON `invitations` (`organization_id`,`email_key`);
CREATE INDEX `invitations_inviter` ON `invitations` (`invited_by`);
CREATE INDEX `invitations_accepted_by` ON `invitations` (`accepted_by`);
CREATE INDEX `invitations_expiry` ON `invitations` (`expires_at`);
CREATE TABLE `invoice_series` (
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`last_number` integer NOT NULL,
	`last_issue_date` text NOT NULL,
	PRIMARY KEY(`account_id`, `livemode`, `year`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoice_series_number" CHECK("invoice_series"."last_number" > 0)
) STRICT;
CREATE TABLE `invoices` (
	`payment_id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`sequence` integer NOT NULL,
	`record` text NOT NULL,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "invoices_sequence_positive" CHECK("invoices"."sequence" > 0)
) STRICT;
CREATE UNIQUE INDEX `invoices_sequence` ON `invoices` (`account_id`,`livemode`,`year`,`sequence`);
CREATE TABLE `credit_note_series` (
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`last_number` integer NOT NULL,
	`last_issue_date` text NOT NULL,
	PRIMARY KEY(`account_id`, `livemode`, `year`),
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_note_series_number" CHECK("credit_note_series"."last_number" > 0)
) STRICT;
CREATE TABLE `credit_notes` (
	`id` text PRIMARY KEY NOT NULL,
	`payment_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`livemode` integer NOT NULL,
	`year` integer NOT NULL,
	`sequence` integer NOT NULL,
	`cause` text NOT NULL,
	`refund_id` text,
	`amount` integer NOT NULL,
	`pdf_problem` text,
	`record` text NOT NULL,
	`erased_at` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`refund_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "credit_notes_sequence_positive" CHECK("credit_notes"."sequence" > 0),
	CONSTRAINT "credit_notes_amount" CHECK("credit_notes"."amount" > 0),
	CONSTRAINT "credit_notes_refund" CHECK(("credit_notes"."cause" = 'refund') = ("credit_notes"."refund_id" is not null))
) STRICT;
CREATE UNIQUE INDEX `credit_notes_sequence` ON `credit_notes` (`account_id`,`livemode`,`year`,`sequence`);
CREATE INDEX `credit_notes_payment` ON `credit_notes` (`payment_id`);
CREATE TABLE `credit_note_voids` (
	`credit_note_id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`credit_note_id`) REFERENCES `credit_notes`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE TABLE `stored_methods` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text,
	`payment_id` text NOT NULL,
	`transaction_id` text,
	`card_link` text,
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
CREATE UNIQUE INDEX `stored_methods_attempt` ON `stored_methods` (`attempt_key`) WHERE "stored_methods"."attempt_key" is not null;
CREATE UNIQUE INDEX `stored_methods_transaction` ON `stored_methods` (`transaction_id`) WHERE "stored_methods"."transaction_id" is not null;
CREATE INDEX `stored_methods_payment` ON `stored_methods` (`payment_id`,`created_at`,`id`);
CREATE INDEX `stored_methods_customer` ON `stored_methods` (`customer_id`) WHERE "stored_methods"."customer_id" is not null;
CREATE INDEX `stored_methods_reference` ON `stored_methods` (`provider_reference`) WHERE "stored_methods"."provider_reference" is not null;
CREATE TABLE `subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`customer_id` text,
	`status` text NOT NULL,
	`amount` integer NOT NULL,
	`charged_amount` integer NOT NULL,
	`line_items` text NOT NULL,
	`description` text,
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
	`pause_reason` text,
	`paused_cycles` text,
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
	`changed_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`method_id`) REFERENCES `stored_methods`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`first_payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`latest_payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "subscriptions_status" CHECK("subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'ended')),
	CONSTRAINT "subscriptions_pause_reason" CHECK("subscriptions"."pause_reason" is null or "subscriptions"."status" = 'paused'),
	CONSTRAINT "subscriptions_amount" CHECK("subscriptions"."amount" between 1 and 999999999999),
	CONSTRAINT "subscriptions_currency" CHECK(length("subscriptions"."currency") = 3),
	CONSTRAINT "subscriptions_cycles" CHECK("subscriptions"."cycles_done" between 0 and "subscriptions"."cycles_begun")
) STRICT;
CREATE INDEX `subscriptions_changed` ON `subscriptions` (`organization_id`,`changed_at`,`id`);
CREATE INDEX `subscriptions_page` ON `subscriptions` (`organization_id`,`created_at`,`id`);
CREATE INDEX `subscriptions_sample` ON `subscriptions` (`organization_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `subscriptions_account_sample` ON `subscriptions` (`account_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `subscriptions_account_page` ON `subscriptions` (`account_id`,`created_at`,`id`);
CREATE INDEX `subscriptions_past_due` ON `subscriptions` (`organization_id`,`created_at`,`id`) WHERE status = 'past_due';
CREATE INDEX `subscriptions_customer` ON `subscriptions` (`customer_id`,`created_at`,`id`) WHERE "subscriptions"."customer_id" is not null;
CREATE INDEX `subscriptions_waiting` ON `subscriptions` (`organization_id`,`created_at`,`id`) WHERE pause_reason is not null;
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
CREATE UNIQUE INDEX `subscription_cycles_payment` ON `subscription_cycles` (`payment_id`);
CREATE INDEX `subscription_cycles_missed` ON `subscription_cycles` (`organization_id`,`created_at`) WHERE is_missed and paid_at is null;
CREATE TABLE `card_links` (
	`subscription_id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`nonce` text NOT NULL,
	`key_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`used_at` integer,
	FOREIGN KEY (`subscription_id`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `card_links_hash` ON `card_links` (`hash`);
CREATE TABLE `ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`for_account_id` text,
	`livemode` integer DEFAULT false NOT NULL,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`normal_side` text NOT NULL,
	`balance` integer NOT NULL,
	`sequence` integer NOT NULL,
	`head_hash` text NOT NULL,
	`booked_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`for_account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_accounts_owner" CHECK(("ledger_accounts"."account_id" is null) <> ("ledger_accounts"."for_account_id" is null)),
	CONSTRAINT "ledger_accounts_side" CHECK("ledger_accounts"."normal_side" in ('debit', 'credit')),
	CONSTRAINT "ledger_accounts_currency" CHECK(length("ledger_accounts"."currency") = 3),
	CONSTRAINT "ledger_accounts_balance" CHECK("ledger_accounts"."balance" between -9007199254740991 and 9007199254740991)
) STRICT;
CREATE INDEX `ledger_accounts_account` ON `ledger_accounts` (`account_id`,`currency`);
CREATE INDEX `ledger_accounts_organization` ON `ledger_accounts` (`organization_id`,`currency`);
CREATE TABLE `journals` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`source_kind` text NOT NULL,
	`source_id` text NOT NULL,
	`transaction_id` text,
	`event` text NOT NULL,
	`reverses_journal_id` text,
	`booked_at` integer NOT NULL,
	`value_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "journals_source_kind" CHECK("journals"."source_kind" in ('transaction')),
	CONSTRAINT "journals_source" CHECK("journals"."source_kind" <> 'transaction' or ("journals"."transaction_id" is not null and "journals"."transaction_id" = "journals"."source_id"))
) STRICT;
CREATE UNIQUE INDEX `journals_reverses` ON `journals` (`reverses_journal_id`) WHERE "journals"."reverses_journal_id" is not null;
CREATE INDEX `journals_transaction` ON `journals` (`transaction_id`);
CREATE TABLE `postings` (
	`ledger_account_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`journal_id` text NOT NULL,
	`side` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`balance_after` integer NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`kind` text,
	`booked_at` integer NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`ledger_account_id`, `sequence`),
	FOREIGN KEY (`ledger_account_id`) REFERENCES `ledger_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`journal_id`) REFERENCES `journals`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "postings_kind" CHECK("postings"."kind" in ('available', 'held', 'refund_pending', 'pending', 'customer_credit')),
	CONSTRAINT "postings_side" CHECK("postings"."side" in ('debit', 'credit')),
	CONSTRAINT "postings_amount" CHECK("postings"."amount" between 1 and 999999999999),
	CONSTRAINT "postings_currency" CHECK(length("postings"."currency") = 3)
) STRICT;
CREATE INDEX `postings_journal` ON `postings` (`journal_id`);
CREATE INDEX `postings_organization` ON `postings` (`organization_id`,`booked_at`,`sequence`,`ledger_account_id`) WHERE "postings"."kind" is not null;
CREATE INDEX `postings_account` ON `postings` (`account_id`,`booked_at`,`sequence`,`ledger_account_id`) WHERE "postings"."kind" is not null;
CREATE TABLE `ledger_checkpoints` (
	`number` integer PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`head_count` integer NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL
) STRICT;
CREATE TABLE `ledger_checkpoint_heads` (
	`checkpoint_number` integer NOT NULL,
	`ledger_account_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`checkpoint_number`, `ledger_account_id`),
	FOREIGN KEY (`checkpoint_number`) REFERENCES `ledger_checkpoints`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ledger_account_id`) REFERENCES `ledger_accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE INDEX `ledger_checkpoint_heads_account` ON `ledger_checkpoint_heads` (`ledger_account_id`,`sequence`);
CREATE TABLE `audit_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text,
	`operation` text NOT NULL,
	`actor_type` text NOT NULL,
	`actor_id` text,
	`target_id` text,
	`detail` text NOT NULL,
	`request_id` text NOT NULL,
	`ip` text,
	`user_agent` text,
	`created_at` integer NOT NULL
) STRICT;
CREATE INDEX `audit_entries_target` ON `audit_entries` (`target_id`,`created_at`);
CREATE INDEX `audit_entries_page` ON `audit_entries` (`organization_id`,`created_at`,`id`);
CREATE INDEX `audit_entries_sample` ON `audit_entries` (`organization_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
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
CREATE INDEX `audit_changes_subject` ON `audit_changes` (`subject_id`);
CREATE TABLE `audit_seals` (
	`number` integer PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`entry_count` integer NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL
) STRICT;
CREATE TABLE `audit_seal_entries` (
	`seal_number` integer NOT NULL,
	`entry_id` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`seal_number`, `entry_id`),
	FOREIGN KEY (`seal_number`) REFERENCES `audit_seals`(`number`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `audit_seal_entries_entry` ON `audit_seal_entries` (`entry_id`);
CREATE TABLE `events` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`data` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
CREATE UNIQUE INDEX `events_object` ON `events` (`object_id`,`sequence`);
CREATE TABLE `idempotency_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`intent` text,
	`status` integer,
	`body` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);
CREATE TABLE `jobs` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`organization_id` text NOT NULL,
	`object_id` text NOT NULL,
	`status` text NOT NULL,
	`priority` integer DEFAULT 0 NOT NULL,
	`run_at` integer NOT NULL,
	`due_at` integer,
	`lease` text,
	`lease_ends_at` integer,
	`failures` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`progress` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	CONSTRAINT "jobs_status" CHECK("jobs"."status" in ('waiting', 'dead'))
) STRICT;
CREATE UNIQUE INDEX `jobs_key` ON `jobs` (`key`);
CREATE INDEX `jobs_due` ON `jobs` (`priority`,`run_at`) WHERE "jobs"."status" = 'waiting';
CREATE INDEX `jobs_acts` ON `jobs` (`organization_id`,`due_at`,`id`) WHERE "jobs"."status" = 'waiting' and "jobs"."due_at" is not null;
CREATE INDEX `jobs_dead` ON `jobs` (`organization_id`,`updated_at`,`id`) WHERE "jobs"."status" = 'dead';
CREATE TABLE `mails` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`payment_id` text,
	`user_id` text,
	`kind` text NOT NULL,
	`message_id` text NOT NULL,
	`from_name` text NOT NULL,
	`reply_to` text,
	`to_address` text NOT NULL,
	`to_key` text NOT NULL,
	`subject` text NOT NULL,
	`text` text,
	`html` text,
	`link_purpose` text,
	`link_object_id` text,
	`is_automatic` integer NOT NULL,
	`status` text NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`last_error` text,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`sent_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`payment_id`) REFERENCES `payments`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "mails_status" CHECK("mails"."status" in ('queued', 'sent', 'failed', 'held'))
) STRICT;
CREATE INDEX `mails_page` ON `mails` (`organization_id`,`created_at`,`id`);
CREATE INDEX `mails_sample` ON `mails` (`organization_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `mails_account_sample` ON `mails` (`account_id`,substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX `mails_account_page` ON `mails` (`account_id`,`created_at`,`id`);
CREATE INDEX `mails_status_page` ON `mails` (`organization_id`,`status`,`created_at`,`id`);
CREATE INDEX `mails_payment` ON `mails` (`payment_id`);
CREATE INDEX `mails_user` ON `mails` (`user_id`);
CREATE INDEX `mails_recipient` ON `mails` (`organization_id`,`to_key`);
CREATE INDEX `mails_bodies` ON `mails` (`created_at`) WHERE "mails"."text" is not null;
CREATE TABLE `saved_views` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`list` text NOT NULL,
	`name` text NOT NULL,
	`name_key` text NOT NULL,
	`filters` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "saved_views_list" CHECK("saved_views"."list" in ('payment_requests', 'invoices', 'subscriptions', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log'))
) STRICT;
CREATE UNIQUE INDEX `saved_views_name` ON `saved_views` (`user_id`,`list`,`name_key`);

-- What the generator cannot express: append-only tables refuse every change. The proof of the ledger compares each text
-- (server/domains/ledger/verify/triggers.ts).
--
-- INSERT OR REPLACE deletes the old row without its delete trigger, unless the connection says otherwise. So an insert
-- is refused if a row has one of its keys. What an invoice or a credit note says about its customer may be erased once.

CREATE TRIGGER journals_no_update BEFORE UPDATE ON journals BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
CREATE TRIGGER journals_no_delete BEFORE DELETE ON journals BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
CREATE TRIGGER journals_no_replace BEFORE INSERT ON journals
WHEN EXISTS (SELECT 1 FROM journals WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM journals WHERE reverses_journal_id = NEW.reverses_journal_id)
	OR EXISTS (SELECT 1 FROM journals WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;

CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER postings_no_replace BEFORE INSERT ON postings
WHEN EXISTS (SELECT 1 FROM postings WHERE ledger_account_id = NEW.ledger_account_id AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM postings WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;

CREATE TRIGGER ledger_checkpoints_no_update BEFORE UPDATE ON ledger_checkpoints
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
CREATE TRIGGER ledger_checkpoints_no_delete BEFORE DELETE ON ledger_checkpoints
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
CREATE TRIGGER ledger_checkpoints_no_replace BEFORE INSERT ON ledger_checkpoints
WHEN EXISTS (SELECT 1 FROM ledger_checkpoints WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;

CREATE TRIGGER ledger_checkpoint_heads_no_update BEFORE UPDATE ON ledger_checkpoint_heads
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
CREATE TRIGGER ledger_checkpoint_heads_no_delete BEFORE DELETE ON ledger_checkpoint_heads
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
CREATE TRIGGER ledger_checkpoint_heads_no_replace BEFORE INSERT ON ledger_checkpoint_heads
WHEN EXISTS (SELECT 1 FROM ledger_checkpoint_heads WHERE checkpoint_number = NEW.checkpoint_number
		AND ledger_account_id = NEW.ledger_account_id)
	OR EXISTS (SELECT 1 FROM ledger_checkpoint_heads WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM events WHERE object_id = NEW.object_id AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM events WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;

CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
CREATE TRIGGER audit_entries_no_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM audit_entries WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;

CREATE TRIGGER audit_seals_no_update BEFORE UPDATE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
CREATE TRIGGER audit_seals_no_delete BEFORE DELETE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
CREATE TRIGGER audit_seals_no_replace BEFORE INSERT ON audit_seals
WHEN EXISTS (SELECT 1 FROM audit_seals WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;

CREATE TRIGGER audit_seal_entries_no_update BEFORE UPDATE ON audit_seal_entries
BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
CREATE TRIGGER audit_seal_entries_no_delete BEFORE DELETE ON audit_seal_entries
BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
CREATE TRIGGER audit_seal_entries_no_replace BEFORE INSERT ON audit_seal_entries
WHEN EXISTS (SELECT 1 FROM audit_seal_entries WHERE seal_number = NEW.seal_number AND entry_id = NEW.entry_id)
	OR EXISTS (SELECT 1 FROM audit_seal_entries WHERE entry_id = NEW.entry_id)
	OR EXISTS (SELECT 1 FROM audit_seal_entries WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;

CREATE TRIGGER invoices_no_update BEFORE UPDATE ON invoices
WHEN NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
	AND json(NEW.record) IS json_replace(OLD.record, '$.buyer', NULL, '$.note', NULL,
		'$.purchase_order_reference', NULL, '$.payment_terms', NULL, '$.lines', json('[]'))
	AND NEW.payment_id IS OLD.payment_id
	AND NEW.organization_id IS OLD.organization_id
	AND NEW.account_id IS OLD.account_id
	AND NEW.livemode IS OLD.livemode
	AND NEW.year IS OLD.year
	AND NEW.sequence IS OLD.sequence
	AND NEW.created_at IS OLD.created_at
	AND NEW.rowid IS OLD.rowid)
BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
CREATE TRIGGER invoices_no_replace BEFORE INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM invoices WHERE payment_id = NEW.payment_id)
	OR EXISTS (SELECT 1 FROM invoices WHERE account_id = NEW.account_id
		AND livemode = NEW.livemode
		AND year = NEW.year
		AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM invoices WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;

CREATE TRIGGER credit_notes_no_update BEFORE UPDATE ON credit_notes
WHEN NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
	AND json(NEW.record) IS json_replace(OLD.record, '$.buyer', NULL, '$.note', NULL,
		'$.purchase_order_reference', NULL, '$.payment_terms', NULL, '$.lines', json('[]'))
	AND NEW.id IS OLD.id
	AND NEW.payment_id IS OLD.payment_id
	AND NEW.organization_id IS OLD.organization_id
	AND NEW.account_id IS OLD.account_id
	AND NEW.livemode IS OLD.livemode
	AND NEW.year IS OLD.year
	AND NEW.sequence IS OLD.sequence
	AND NEW.cause IS OLD.cause
	AND NEW.refund_id IS OLD.refund_id
	AND NEW.amount IS OLD.amount
	AND NEW.pdf_problem IS OLD.pdf_problem
	AND NEW.created_at IS OLD.created_at
	AND NEW.rowid IS OLD.rowid)
BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
CREATE TRIGGER credit_notes_no_delete BEFORE DELETE ON credit_notes
BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
CREATE TRIGGER credit_notes_no_replace BEFORE INSERT ON credit_notes
WHEN EXISTS (SELECT 1 FROM credit_notes WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM credit_notes WHERE account_id = NEW.account_id
		AND livemode = NEW.livemode
		AND year = NEW.year
		AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM credit_notes WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;

CREATE TRIGGER credit_note_voids_no_update BEFORE UPDATE ON credit_note_voids
BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
CREATE TRIGGER credit_note_voids_no_delete BEFORE DELETE ON credit_note_voids
BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
CREATE TRIGGER credit_note_voids_no_replace BEFORE INSERT ON credit_note_voids
WHEN EXISTS (SELECT 1 FROM credit_note_voids WHERE credit_note_id = NEW.credit_note_id)
	OR EXISTS (SELECT 1 FROM credit_note_voids WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
