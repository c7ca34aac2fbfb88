CREATE TABLE `accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`owner_user_id` text,
	`account_type` text NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`email_key` text NOT NULL,
	`search_text` text DEFAULT '' NOT NULL,
	`preferences` text NOT NULL,
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
--> statement-breakpoint
CREATE INDEX `accounts_page` ON `accounts` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `accounts_owner` ON `accounts` (`owner_user_id`,`status`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`created_by` text,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last4` text NOT NULL,
	`scopes` text NOT NULL,
	`expires_at` integer,
	`revoked_at` integer,
	`revoke_reason` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`created_by`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_page` ON `api_keys` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_account` ON `api_keys` (`account_id`);--> statement-breakpoint
CREATE INDEX `api_keys_creator` ON `api_keys` (`created_by`);--> statement-breakpoint
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
	`created_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `audit_entries_page` ON `audit_entries` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_entries_target` ON `audit_entries` (`target_id`,`created_at`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `events_object` ON `events` (`object_id`,`sequence`);--> statement-breakpoint
CREATE INDEX `events_page` ON `events` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`fingerprint` text NOT NULL,
	`intent` text,
	`status` integer,
	`body` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `idempotency_keys_expiry` ON `idempotency_keys` (`expires_at`);--> statement-breakpoint
CREATE TABLE `journals` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`transaction_id` text NOT NULL,
	`event` text NOT NULL,
	`reverses_journal_id` text,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `journals_reverses` ON `journals` (`reverses_journal_id`);--> statement-breakpoint
CREATE INDEX `journals_transaction` ON `journals` (`transaction_id`);--> statement-breakpoint
CREATE INDEX `journals_page` ON `journals` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `ledger_accounts` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`name` text NOT NULL,
	`currency` text NOT NULL,
	`normal_side` text NOT NULL,
	`balance` integer NOT NULL,
	`sequence` integer NOT NULL,
	`head_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "ledger_accounts_side" CHECK("ledger_accounts"."normal_side" in ('debit', 'credit')),
	CONSTRAINT "ledger_accounts_currency" CHECK(length("ledger_accounts"."currency") = 3),
	CONSTRAINT "ledger_accounts_balance" CHECK("ledger_accounts"."balance" between -9007199254740991 and 9007199254740991)
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_accounts_account` ON `ledger_accounts` (`account_id`,`currency`);--> statement-breakpoint
CREATE INDEX `ledger_accounts_organization` ON `ledger_accounts` (`organization_id`,`currency`);--> statement-breakpoint
CREATE TABLE `ledger_checkpoint_heads` (
	`checkpoint_number` integer NOT NULL,
	`ledger_account_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`checkpoint_number`, `ledger_account_id`),
	FOREIGN KEY (`checkpoint_number`) REFERENCES `ledger_checkpoints`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`ledger_account_id`) REFERENCES `ledger_accounts`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `ledger_checkpoint_heads_account` ON `ledger_checkpoint_heads` (`ledger_account_id`,`sequence`);--> statement-breakpoint
CREATE TABLE `ledger_checkpoints` (
	`number` integer PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`head_count` integer NOT NULL,
	`key_id` text NOT NULL,
	`signature` text NOT NULL
) STRICT;
--> statement-breakpoint
CREATE TABLE `organizations` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`mode` text NOT NULL,
	`members_record_payments` integer DEFAULT false NOT NULL,
	`created_at` integer NOT NULL,
	CONSTRAINT "organizations_mode" CHECK("organizations"."mode" in ('sandbox', 'live'))
) STRICT;
--> statement-breakpoint
CREATE TABLE `payments` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text NOT NULL,
	`type` text NOT NULL,
	`status` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`amount_paid` integer DEFAULT 0 NOT NULL,
	`amount_authorized` integer DEFAULT 0 NOT NULL,
	`amount_capturable` integer DEFAULT 0 NOT NULL,
	`amount_released` integer DEFAULT 0 NOT NULL,
	`amount_waived` integer DEFAULT 0 NOT NULL,
	`amount_refunded` integer DEFAULT 0 NOT NULL,
	`amount_disputed` integer DEFAULT 0 NOT NULL,
	`attempt_count` integer DEFAULT 0 NOT NULL,
	`description` text,
	`reference` text,
	`customer` text,
	`customer_email_key` text,
	`line_items` text NOT NULL,
	`subscription` text,
	`capture_method` text NOT NULL,
	`capture_before` integer,
	`success_url` text,
	`locale` text,
	`metadata` text NOT NULL,
	`last_error` text,
	`canceled_at` integer,
	`failed_at` integer,
	`paid_at` integer,
	`viewed_at` integer,
	`due_at` integer,
	`expires_at` integer,
	`livemode` integer NOT NULL,
	`link_hash` text NOT NULL,
	`link_nonce` text NOT NULL,
	`link_key_id` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account_id`) REFERENCES `accounts`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "payments_type" CHECK("payments"."type" in ('product', 'subscription', 'invoice')),
	CONSTRAINT "payments_status" CHECK("payments"."status" in ('draft', 'pending', 'requires_action', 'processing', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'disputed', 'failed', 'canceled', 'expired')),
	CONSTRAINT "payments_capture_method" CHECK("payments"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payments_amount" CHECK("payments"."amount" between 1 and 999999999999),
	CONSTRAINT "payments_currency" CHECK(length("payments"."currency") = 3),
	CONSTRAINT "payments_amounts" CHECK("payments"."amount_paid" >= 0 and "payments"."amount_refunded" between 0 and "payments"."amount_paid" and "payments"."amount_capturable" >= 0 and "payments"."amount_released" >= 0)
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_link` ON `payments` (`link_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `payments_reference` ON `payments` (`account_id`,`reference`);--> statement-breakpoint
CREATE INDEX `payments_page` ON `payments` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_account_page` ON `payments` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_status_page` ON `payments` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_customer_email` ON `payments` (`organization_id`,`customer_email_key`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `payments_expiry` ON `payments` (`expires_at`) WHERE "payments"."status" in ('pending', 'partially_paid', 'requires_action') and "payments"."expires_at" is not null;--> statement-breakpoint
CREATE TABLE `postings` (
	`ledger_account_id` text NOT NULL,
	`sequence` integer NOT NULL,
	`journal_id` text NOT NULL,
	`side` text NOT NULL,
	`amount` integer NOT NULL,
	`currency` text NOT NULL,
	`balance_after` integer NOT NULL,
	`previous_hash` text NOT NULL,
	`hash` text NOT NULL,
	PRIMARY KEY(`ledger_account_id`, `sequence`),
	FOREIGN KEY (`ledger_account_id`) REFERENCES `ledger_accounts`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`journal_id`) REFERENCES `journals`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "postings_side" CHECK("postings"."side" in ('debit', 'credit')),
	CONSTRAINT "postings_amount" CHECK("postings"."amount" between 1 and 999999999999),
	CONSTRAINT "postings_currency" CHECK(length("postings"."currency") = 3)
) STRICT;
--> statement-breakpoint
CREATE INDEX `postings_journal` ON `postings` (`journal_id`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE UNIQUE INDEX `sandbox_operations_key` ON `sandbox_operations` (`kind`,`idempotency_key`);--> statement-breakpoint
CREATE INDEX `sandbox_operations_charge` ON `sandbox_operations` (`charge_reference`);--> statement-breakpoint
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
	`revoked_at` integer,
	FOREIGN KEY (`session_id`) REFERENCES `sessions`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "session_tokens_kind" CHECK("session_tokens"."kind" in ('access', 'refresh', 'cookie'))
) STRICT;
--> statement-breakpoint
CREATE INDEX `session_tokens_session` ON `session_tokens` (`session_id`,`exchange_key`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`status`,`created_at`);--> statement-breakpoint
CREATE INDEX `sessions_page` ON `sessions` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `throttles` (
	`bucket` text PRIMARY KEY NOT NULL,
	`count` integer NOT NULL,
	`resets_at` integer NOT NULL
) STRICT;
--> statement-breakpoint
CREATE INDEX `throttles_resets` ON `throttles` (`resets_at`);--> statement-breakpoint
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
--> statement-breakpoint
CREATE INDEX `transaction_tags_search` ON `transaction_tags` (`organization_id`,`scope`,`key`,`value`,`created_at`,`transaction_id`);--> statement-breakpoint
CREATE TABLE `transaction_words` (
	`transaction_id` text NOT NULL,
	`organization_id` text NOT NULL,
	`word` text NOT NULL,
	PRIMARY KEY(`transaction_id`, `word`),
	FOREIGN KEY (`transaction_id`) REFERENCES `transactions`(`id`) ON UPDATE no action ON DELETE no action
) STRICT;
--> statement-breakpoint
CREATE INDEX `transaction_words_search` ON `transaction_words` (`organization_id`,`word`,`transaction_id`);--> statement-breakpoint
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
	`payment_id` text,
	`parent_transaction_id` text,
	`destination_account_id` text,
	`payment_method` text,
	`provider` text,
	`provider_reference` text,
	`failure` text,
	`reason` text,
	`reference` text,
	`description` text,
	`customer` text,
	`customer_email_key` text,
	`customer_reference` text,
	`metadata` text NOT NULL,
	`effective_at` integer NOT NULL,
	`livemode` integer NOT NULL,
	`capture_before` integer,
	`attempt_key` text,
	`reconcile_after` integer,
	`settled_at` integer,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
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
--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_reference` ON `transactions` (`account_id`,`reference`) WHERE "transactions"."reference" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_provider` ON `transactions` (`provider`,`provider_reference`,`type`) WHERE "transactions"."provider_reference" is not null;--> statement-breakpoint
CREATE INDEX `transactions_page` ON `transactions` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `transactions_account_page` ON `transactions` (`account_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `transactions_destination_page` ON `transactions` (`destination_account_id`,`created_at`,`id`) WHERE "transactions"."destination_account_id" is not null;--> statement-breakpoint
CREATE INDEX `transactions_status_page` ON `transactions` (`organization_id`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `transactions_attempt` ON `transactions` (`attempt_key`) WHERE "transactions"."attempt_key" is not null;--> statement-breakpoint
CREATE INDEX `transactions_reconcile` ON `transactions` (`reconcile_after`) WHERE "transactions"."reconcile_after" is not null;--> statement-breakpoint
CREATE INDEX `transactions_payment` ON `transactions` (`payment_id`,`organization_id`,`created_at`,`id`) WHERE "transactions"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX `transactions_parent` ON `transactions` (`parent_transaction_id`,`organization_id`,`created_at`,`id`) WHERE "transactions"."parent_transaction_id" is not null;--> statement-breakpoint
CREATE INDEX `transactions_processing` ON `transactions` (`account_id`,`currency`) WHERE status = 'processing';--> statement-breakpoint
CREATE INDEX `transactions_customer_email` ON `transactions` (`organization_id`,`customer_email_key`,`created_at`,`id`) WHERE "transactions"."customer_email_key" is not null;--> statement-breakpoint
CREATE INDEX `transactions_customer_reference` ON `transactions` (`organization_id`,`customer_reference`,`created_at`,`id`) WHERE "transactions"."customer_reference" is not null;--> statement-breakpoint
CREATE INDEX `transactions_reference_page` ON `transactions` (`organization_id`,`reference`,`created_at`,`id`) WHERE "transactions"."reference" is not null;--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`email` text NOT NULL,
	`email_key` text,
	`name` text,
	`search_text` text DEFAULT '' NOT NULL,
	`password_hash` text,
	`role` text NOT NULL,
	`status` text NOT NULL,
	`mfa_enabled` integer DEFAULT false NOT NULL,
	`last_login_at` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("users"."role" in ('member', 'admin')),
	CONSTRAINT "users_status" CHECK("users"."status" in ('active', 'removed')),
	CONSTRAINT "users_removed" CHECK(("users"."status" = 'removed') = ("users"."email_key" is null))
) STRICT;
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);--> statement-breakpoint
CREATE INDEX `users_page` ON `users` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_account` ON `users` (`account_id`);