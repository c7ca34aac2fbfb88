-- Generated from db/schema and db/triggers by npm run db:generate.
CREATE TABLE "organizations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"members_record_payments" boolean DEFAULT false NOT NULL,
	"default_currency" text COLLATE "C",
	"locale" text COLLATE "C",
	"timezone" text COLLATE "C",
	"step_up_amounts" json,
	"require_mfa" text COLLATE "C" DEFAULT 'none' NOT NULL,
	"catch_up" text COLLATE "C" DEFAULT 'latest' NOT NULL,
	"after_lost_dispute" text COLLATE "C" DEFAULT 'wait' NOT NULL,
	"invoice_retention_years" integer DEFAULT 10 NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "organizations_mode" CHECK ("organizations"."mode" in ('sandbox', 'live'))
);
CREATE TABLE "sandbox_clocks" (
	"organization_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"offset_ms" bigint DEFAULT 0 NOT NULL,
	"is_running" boolean DEFAULT false NOT NULL,
	"moved_from" bigint DEFAULT 0 NOT NULL,
	"storm_until" bigint
);
CREATE TABLE "users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C",
	"email_verified_at" bigint,
	"name" text COLLATE "C",
	"search_text" text COLLATE "C" NOT NULL,
	"password_hash" text COLLATE "C",
	"has_given_password" boolean DEFAULT false NOT NULL,
	"role" text COLLATE "C" NOT NULL,
	"locale" text COLLATE "C",
	"timezone" text COLLATE "C",
	"list_displays" json,
	"status" text COLLATE "C" NOT NULL,
	"mfa_enabled" boolean DEFAULT false NOT NULL,
	"last_login_at" bigint,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('member', 'viewer', 'operator', 'admin')),
	CONSTRAINT "users_status" CHECK ("users"."status" in ('active', 'removed')),
	CONSTRAINT "users_removed" CHECK (("users"."status" = 'removed') = ("users"."email_key" is null))
);
CREATE TABLE "accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"owner_user_id" text COLLATE "C",
	"account_type" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"search_text" text COLLATE "C" NOT NULL,
	"preferences" json NOT NULL,
	"invoice_preferences" json,
	"numbering_key" text COLLATE "C",
	"metadata" json NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"orphaned_at" bigint,
	"closed_at" bigint,
	"close_reason" text COLLATE "C",
	CONSTRAINT "accounts_type" CHECK ("accounts"."account_type" in ('individual', 'business')),
	CONSTRAINT "accounts_status" CHECK ("accounts"."status" in ('open', 'closed')),
	CONSTRAINT "accounts_closed" CHECK (("accounts"."status" = 'closed') = ("accounts"."closed_at" is not null))
);
CREATE TABLE "account_logos" (
	"account_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"image" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "account_logos_type" CHECK ("account_logos"."type" in ('image/png', 'image/jpeg'))
);
CREATE TABLE "numbering_claims" (
	"organization_id" text COLLATE "C" NOT NULL,
	"numbering_key" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	CONSTRAINT "numbering_claims_organization_id_numbering_key_livemode_pk" PRIMARY KEY("organization_id","numbering_key","livemode")
);
CREATE TABLE "invoice_prefixes" (
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"prefix" text COLLATE "C" NOT NULL,
	"first_issued_at" bigint NOT NULL,
	CONSTRAINT "invoice_prefixes_account_id_livemode_prefix_pk" PRIMARY KEY("account_id","livemode","prefix")
);
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"created_by" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"prefix" text COLLATE "C" NOT NULL,
	"last4" text COLLATE "C" NOT NULL,
	"scopes" json NOT NULL,
	"ip_allow" json,
	"previous_hash" text COLLATE "C",
	"previous_until" bigint,
	"previous_by" text COLLATE "C",
	"rotated_at" bigint,
	"rotated_by" text COLLATE "C",
	"last_used_at" bigint,
	"expires_at" bigint,
	"revoked_at" bigint,
	"revoke_reason" text COLLATE "C",
	"created_at" bigint NOT NULL
);
CREATE TABLE "customers" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C",
	"email" text COLLATE "C",
	"email_key" text COLLATE "C",
	"request_email_key" text COLLATE "C",
	"phone" text COLLATE "C",
	"address" json,
	"tax_id" text COLLATE "C",
	"reference" text COLLATE "C",
	"locale" text COLLATE "C",
	"metadata" json NOT NULL,
	"merged_into" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	"erased_at" bigint
);
CREATE TABLE "customer_words" (
	"customer_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "customer_words_customer_id_word_pk" PRIMARY KEY("customer_id","word")
);
CREATE TABLE "payments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"amount" bigint,
	"currency" text COLLATE "C" NOT NULL,
	"amount_paid" bigint DEFAULT 0 NOT NULL,
	"amount_authorized" bigint DEFAULT 0 NOT NULL,
	"amount_capturable" bigint DEFAULT 0 NOT NULL,
	"amount_released" bigint DEFAULT 0 NOT NULL,
	"amount_waived" bigint DEFAULT 0 NOT NULL,
	"amount_refunded" bigint DEFAULT 0 NOT NULL,
	"amount_disputed" bigint DEFAULT 0 NOT NULL,
	"dispute_status" text COLLATE "C" DEFAULT 'none' NOT NULL,
	"amount_credited" bigint DEFAULT 0 NOT NULL,
	"amount_overpaid" bigint DEFAULT 0 NOT NULL,
	"amount_lost" bigint DEFAULT 0 NOT NULL,
	"amount_reopened" bigint DEFAULT 0 NOT NULL,
	"amount_written_off" bigint DEFAULT 0 NOT NULL,
	"write_off_reason" text COLLATE "C",
	"paid_late_at" bigint,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"description" text COLLATE "C",
	"reference" text COLLATE "C",
	"customer" json,
	"customer_id" text COLLATE "C",
	"customer_email_key" text COLLATE "C",
	"line_items" json NOT NULL,
	"subscription" json,
	"is_trial" boolean DEFAULT false NOT NULL,
	"is_renewal" boolean DEFAULT false NOT NULL,
	"subscription_id" text COLLATE "C",
	"capture_method" text COLLATE "C" NOT NULL,
	"allow_partial" boolean DEFAULT false NOT NULL,
	"minimum_amount" bigint,
	"installments" json,
	"usage_limit" integer DEFAULT 1,
	"uses_count" integer DEFAULT 0 NOT NULL,
	"uses_reserved" integer DEFAULT 0 NOT NULL,
	"custom_amount" json,
	"parent_payment_id" text COLLATE "C",
	"place" text COLLATE "C",
	"payer_key" text COLLATE "C",
	"is_idle" boolean DEFAULT false NOT NULL,
	"many_declines_at" bigint,
	"paused_at" bigint,
	"expires_alone" boolean DEFAULT false NOT NULL,
	"came_late_at" bigint,
	"over_limit_at" bigint,
	"link_requested_at" bigint,
	"link_request_mail_id" text COLLATE "C",
	"reminder_waits_since" bigint,
	"link_answered_at" bigint,
	"invoice" json,
	"invoice_number" text COLLATE "C",
	"pdf_problem" text COLLATE "C",
	"capture_before" bigint,
	"success_url" text COLLATE "C",
	"cancel_url" text COLLATE "C",
	"locale" text COLLATE "C",
	"metadata" json NOT NULL,
	"last_error" json,
	"action_url" text COLLATE "C",
	"canceled_at" bigint,
	"cancellation_reason" text COLLATE "C",
	"failed_at" bigint,
	"cards_allowed_at" bigint,
	"draft" json,
	"paid_at" bigint,
	"viewed_at" bigint,
	"due_at" bigint,
	"expires_at" bigint,
	"extended_at" bigint,
	"livemode" boolean NOT NULL,
	"link_hash" text COLLATE "C",
	"link_nonce" text COLLATE "C",
	"link_key_id" text COLLATE "C",
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "payments_draft" CHECK (("payments"."draft" is not null) = ("payments"."link_hash" is null)),
	CONSTRAINT "payments_link_nonce" CHECK (("payments"."link_nonce" is null) = ("payments"."link_hash" is null)),
	CONSTRAINT "payments_link_key" CHECK (("payments"."link_key_id" is null) = ("payments"."link_hash" is null)),
	CONSTRAINT "payments_type" CHECK ("payments"."type" in ('product', 'subscription', 'invoice')),
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('draft', 'pending', 'requires_action', 'processing', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'disputed', 'failed', 'canceled', 'expired')),
	CONSTRAINT "payments_capture_method" CHECK ("payments"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" between 1 and 999999999999),
	CONSTRAINT "payments_custom_amount" CHECK (("payments"."amount" is null) = ("payments"."custom_amount" is not null)),
	CONSTRAINT "payments_currency" CHECK (length("payments"."currency") = 3),
	CONSTRAINT "payments_amounts" CHECK ("payments"."amount_paid" >= 0 and "payments"."amount_refunded" between 0 and "payments"."amount_paid" and "payments"."amount_capturable" >= 0 and "payments"."amount_released" >= 0)
);
CREATE TABLE "payment_words" (
	"payment_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "payment_words_payment_id_word_pk" PRIMARY KEY("payment_id","word")
);
CREATE TABLE "payment_reminders" (
	"payment_id" text COLLATE "C" NOT NULL,
	"offset_days" integer NOT NULL,
	"due_at" bigint NOT NULL,
	"planned_at" bigint NOT NULL,
	"waiting_until" bigint,
	"sent_at" bigint,
	"mail_id" text COLLATE "C",
	"skipped_reason" text COLLATE "C",
	CONSTRAINT "payment_reminders_payment_id_offset_days_pk" PRIMARY KEY("payment_id","offset_days"),
	CONSTRAINT "payment_reminders_outcome" CHECK ("payment_reminders"."sent_at" is null or "payment_reminders"."skipped_reason" is null)
);
CREATE TABLE "sandbox_operations" (
	"reference" text COLLATE "C" PRIMARY KEY NOT NULL,
	"idempotency_key" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"charge_reference" text COLLATE "C",
	"amount" bigint NOT NULL,
	"amount_captured" bigint DEFAULT 0 NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"outcome" json NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "sandbox_operations_kind" CHECK ("sandbox_operations"."kind" in ('charge', 'refund'))
);
CREATE TABLE "transactions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"direction" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"fee_amount" bigint DEFAULT 0 NOT NULL,
	"amount_authorized" bigint DEFAULT 0 NOT NULL,
	"amount_captured" bigint DEFAULT 0 NOT NULL,
	"amount_released" bigint DEFAULT 0 NOT NULL,
	"amount_refunded" bigint DEFAULT 0 NOT NULL,
	"amount_refunding" bigint DEFAULT 0 NOT NULL,
	"amount_disputed" bigint DEFAULT 0 NOT NULL,
	"dispute_status" text COLLATE "C" DEFAULT 'none' NOT NULL,
	"dispute_reference" text COLLATE "C",
	"unexpected_dispute" json,
	"unexpected_dispute_at" bigint,
	"late_at" bigint,
	"amount_surplus" bigint DEFAULT 0 NOT NULL,
	"uses_credit" boolean DEFAULT false NOT NULL,
	"payment_id" text COLLATE "C",
	"parent_transaction_id" text COLLATE "C",
	"destination_account_id" text COLLATE "C",
	"payment_method" json,
	"card_last4" text COLLATE "C",
	"provider" text COLLATE "C",
	"provider_reference" text COLLATE "C",
	"failure" json,
	"reason" text COLLATE "C",
	"reference" text COLLATE "C",
	"description" text COLLATE "C",
	"customer_id" text COLLATE "C",
	"customer" json,
	"customer_email_key" text COLLATE "C",
	"customer_reference" text COLLATE "C",
	"metadata" json NOT NULL,
	"effective_at" bigint NOT NULL,
	"livemode" boolean NOT NULL,
	"capture_before" bigint,
	"start_before" bigint,
	"stored_method" text COLLATE "C",
	"card_before" text COLLATE "C",
	"attempt_key" text COLLATE "C",
	"capture_requested" bigint,
	"action_url" text COLLATE "C",
	"settled_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "transactions_type" CHECK ("transactions"."type" in ('payment', 'credit', 'refund', 'transfer', 'adjustment')),
	CONSTRAINT "transactions_status" CHECK ("transactions"."status" in ('pending', 'requires_action', 'processing', 'authorized', 'succeeded', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'failed', 'canceled', 'expired', 'reversed')),
	CONSTRAINT "transactions_direction" CHECK ("transactions"."direction" in ('in', 'out')),
	CONSTRAINT "transactions_amount" CHECK ("transactions"."amount" between 1 and 999999999999),
	CONSTRAINT "transactions_currency" CHECK (length("transactions"."currency") = 3),
	CONSTRAINT "transactions_refunds" CHECK ("transactions"."amount_refunded" >= 0 and "transactions"."amount_refunding" >= 0 and "transactions"."amount_refunded" + "transactions"."amount_refunding" <= "transactions"."amount_captured"),
	CONSTRAINT "transactions_transfer" CHECK (("transactions"."type" = 'transfer') = ("transactions"."destination_account_id" is not null)),
	CONSTRAINT "transactions_refund" CHECK (("transactions"."type" = 'refund') = ("transactions"."parent_transaction_id" is not null))
);
CREATE TABLE "transaction_tags" (
	"transaction_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"scope" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"value" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "transaction_tags_transaction_id_scope_key_pk" PRIMARY KEY("transaction_id","scope","key"),
	CONSTRAINT "transaction_tags_scope" CHECK ("transaction_tags"."scope" in ('metadata', 'customer'))
);
CREATE TABLE "transaction_words" (
	"transaction_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "transaction_words_transaction_id_word_pk" PRIMARY KEY("transaction_id","word")
);
CREATE TABLE "customer_credits" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"amount" bigint NOT NULL,
	"amount_left" bigint NOT NULL,
	"amount_spent" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "customer_credits_amount" CHECK ("customer_credits"."amount" between 1 and 999999999999),
	CONSTRAINT "customer_credits_currency" CHECK (length("customer_credits"."currency") = 3),
	CONSTRAINT "customer_credits_amounts" CHECK ("customer_credits"."amount_left" >= 0 and "customer_credits"."amount_spent" >= 0 and "customer_credits"."amount_left" + "customer_credits"."amount_spent" <= "customer_credits"."amount")
);
CREATE TABLE "customer_credit_uses" (
	"transaction_id" text COLLATE "C" NOT NULL,
	"credit_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"amount_given_back" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "customer_credit_uses_transaction_id_credit_id_pk" PRIMARY KEY("transaction_id","credit_id"),
	CONSTRAINT "customer_credit_uses_kind" CHECK ("customer_credit_uses"."kind" in ('spent', 'taken_back', 'given_back')),
	CONSTRAINT "customer_credit_uses_amount" CHECK ("customer_credit_uses"."amount" between 1 and 999999999999),
	CONSTRAINT "customer_credit_uses_given_back" CHECK ("customer_credit_uses"."amount_given_back" between 0 and "customer_credit_uses"."amount")
);
CREATE TABLE "sessions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"authenticated_at" bigint NOT NULL,
	"last_seen_at" bigint NOT NULL,
	"idle_until" bigint,
	"absolute_until" bigint NOT NULL,
	"ip" text COLLATE "C",
	"user_agent" text COLLATE "C",
	"device_id" text COLLATE "C",
	"device_anomalies" integer DEFAULT 0 NOT NULL,
	"client_version" text COLLATE "C",
	"generation" integer DEFAULT 0 NOT NULL,
	"exchanges" integer DEFAULT 0 NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"ended_at" bigint,
	"end_reason" text COLLATE "C",
	"end_reason_text" text COLLATE "C",
	"ended_by" text COLLATE "C",
	"revoked_tokens" integer,
	CONSTRAINT "sessions_kind" CHECK ("sessions"."kind" in ('api', 'cookie')),
	CONSTRAINT "sessions_status" CHECK ("sessions"."status" in ('active', 'ended')),
	CONSTRAINT "sessions_ended" CHECK (("sessions"."status" = 'ended') = ("sessions"."ended_at" is not null))
);
CREATE TABLE "session_tokens" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"session_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"generation" integer NOT NULL,
	"exchange" integer NOT NULL,
	"last4" text COLLATE "C" NOT NULL,
	"issued_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"spent_at" bigint,
	"exchange_key" text COLLATE "C",
	"exchange_request" text COLLATE "C",
	"exchange_rotated" boolean,
	"replay_until" bigint,
	"revoked_at" bigint,
	CONSTRAINT "session_tokens_kind" CHECK ("session_tokens"."kind" in ('access', 'refresh', 'cookie'))
);
CREATE TABLE "step_up_sums" (
	"session_id" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"moves" json NOT NULL,
	CONSTRAINT "step_up_sums_session_id_currency_pk" PRIMARY KEY("session_id","currency")
);
CREATE TABLE "throttles" (
	"bucket" text COLLATE "C" PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" bigint NOT NULL
);
CREATE TABLE "known_devices" (
	"user_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"seen_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	CONSTRAINT "known_devices_user_id_hash_pk" PRIMARY KEY("user_id","hash"),
	CONSTRAINT "known_devices_kind" CHECK ("known_devices"."kind" in ('api', 'cookie'))
);
CREATE TABLE "password_resets" (
	"user_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"seal" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C",
	"key_id" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
CREATE TABLE "email_links" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"seal" text COLLATE "C",
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint,
	CONSTRAINT "email_links_kind" CHECK ("email_links"."kind" in ('verify', 'change', 'undo'))
);
CREATE TABLE "nonces" (
	"name" text COLLATE "C" PRIMARY KEY NOT NULL,
	"value" text COLLATE "C" NOT NULL
);
CREATE TABLE "totp_factors" (
	"user_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"secret" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"confirmed_at" bigint,
	"last_step" integer,
	"next_secret" text COLLATE "C",
	"next_created_at" bigint
);
CREATE TABLE "recovery_codes" (
	"user_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "recovery_codes_user_id_hash_pk" PRIMARY KEY("user_id","hash")
);
CREATE TABLE "passkeys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"credential_id" text COLLATE "C" NOT NULL,
	"public_key" text COLLATE "C" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" json NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"is_synced" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"last_used_at" bigint
);
CREATE TABLE "passkey_challenges" (
	"hash" text COLLATE "C" PRIMARY KEY NOT NULL,
	"purpose" text COLLATE "C" NOT NULL,
	"user_id" text COLLATE "C",
	"expires_at" bigint NOT NULL,
	CONSTRAINT "passkey_challenges_purpose" CHECK ("passkey_challenges"."purpose" in ('register', 'sign_in'))
);
CREATE TABLE "invitations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C",
	"role" text COLLATE "C" NOT NULL,
	"account_fields" json,
	"locale" text COLLATE "C",
	"invited_by" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"mail_hash" text COLLATE "C" NOT NULL,
	"mail_nonce" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"accepted_at" bigint,
	"accepted_by" text COLLATE "C",
	"revoked_at" bigint,
	"revoke_reason" text COLLATE "C",
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('member', 'viewer', 'operator', 'admin'))
);
CREATE TABLE "invoice_series" (
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"last_number" integer NOT NULL,
	"last_issue_date" text COLLATE "C" NOT NULL,
	CONSTRAINT "invoice_series_account_id_livemode_year_pk" PRIMARY KEY("account_id","livemode","year"),
	CONSTRAINT "invoice_series_number" CHECK ("invoice_series"."last_number" > 0)
);
CREATE TABLE "invoices" (
	"payment_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"record" json NOT NULL,
	"erased_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "invoices_sequence_positive" CHECK ("invoices"."sequence" > 0)
);
CREATE TABLE "credit_note_series" (
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"last_number" integer NOT NULL,
	"last_issue_date" text COLLATE "C" NOT NULL,
	CONSTRAINT "credit_note_series_account_id_livemode_year_pk" PRIMARY KEY("account_id","livemode","year"),
	CONSTRAINT "credit_note_series_number" CHECK ("credit_note_series"."last_number" > 0)
);
CREATE TABLE "credit_notes" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"livemode" boolean NOT NULL,
	"year" integer NOT NULL,
	"sequence" integer NOT NULL,
	"cause" text COLLATE "C" NOT NULL,
	"refund_id" text COLLATE "C",
	"amount" bigint NOT NULL,
	"pdf_problem" text COLLATE "C",
	"record" json NOT NULL,
	"erased_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "credit_notes_sequence_positive" CHECK ("credit_notes"."sequence" > 0),
	CONSTRAINT "credit_notes_amount" CHECK ("credit_notes"."amount" > 0),
	CONSTRAINT "credit_notes_refund" CHECK (("credit_notes"."cause" = 'refund') = ("credit_notes"."refund_id" is not null))
);
CREATE TABLE "credit_note_voids" (
	"credit_note_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL
);
CREATE TABLE "stored_methods" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C",
	"payment_id" text COLLATE "C" NOT NULL,
	"transaction_id" text COLLATE "C",
	"card_link" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"provider" text COLLATE "C" NOT NULL,
	"provider_reference" text COLLATE "C",
	"attempt_reference" text COLLATE "C",
	"attempt_key" text COLLATE "C",
	"start_before" bigint,
	"action_url" text COLLATE "C",
	"payment_method" json,
	"failure" json,
	"livemode" boolean NOT NULL,
	"settled_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "stored_methods_status" CHECK ("stored_methods"."status" in ('processing', 'requires_action', 'stored', 'failed'))
);
CREATE TABLE "subscriptions" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"customer_id" text COLLATE "C",
	"status" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"charged_amount" bigint NOT NULL,
	"line_items" json NOT NULL,
	"description" text COLLATE "C",
	"currency" text COLLATE "C" NOT NULL,
	"interval" text COLLATE "C" NOT NULL,
	"interval_count" integer NOT NULL,
	"cycles" integer,
	"cycles_begun" integer DEFAULT 0 NOT NULL,
	"cycles_done" integer DEFAULT 0 NOT NULL,
	"next_cycle" integer DEFAULT 1 NOT NULL,
	"anchor_at" bigint,
	"timezone" text COLLATE "C" NOT NULL,
	"trial_ends_at" bigint,
	"trial_notice_at" bigint,
	"current_period_start" bigint,
	"current_period_end" bigint,
	"next_charge_at" bigint,
	"failed_at" bigint,
	"retries" integer DEFAULT 0 NOT NULL,
	"retry_at" bigint,
	"is_method_refused" boolean DEFAULT false NOT NULL,
	"attempt_id" text COLLATE "C",
	"method_id" text COLLATE "C",
	"resume_at" bigint,
	"pause_reason" text COLLATE "C",
	"paused_cycles" json,
	"cancel_at_period_end" boolean DEFAULT false NOT NULL,
	"canceled_at" bigint,
	"ended_at" bigint,
	"end_reason" text COLLATE "C",
	"first_payment_id" text COLLATE "C" NOT NULL,
	"latest_payment_id" text COLLATE "C" NOT NULL,
	"metadata" json NOT NULL,
	"livemode" boolean NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"changed_at" bigint NOT NULL,
	CONSTRAINT "subscriptions_status" CHECK ("subscriptions"."status" in ('incomplete', 'trialing', 'active', 'past_due', 'paused', 'canceled', 'ended')),
	CONSTRAINT "subscriptions_pause_reason" CHECK ("subscriptions"."pause_reason" is null or "subscriptions"."status" = 'paused'),
	CONSTRAINT "subscriptions_amount" CHECK ("subscriptions"."amount" between 1 and 999999999999),
	CONSTRAINT "subscriptions_currency" CHECK (length("subscriptions"."currency") = 3),
	CONSTRAINT "subscriptions_cycles" CHECK ("subscriptions"."cycles_done" between 0 and "subscriptions"."cycles_begun")
);
CREATE TABLE "subscription_cycles" (
	"subscription_id" text COLLATE "C" NOT NULL,
	"cycle" integer NOT NULL,
	"payment_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"period_start" bigint NOT NULL,
	"period_end" bigint NOT NULL,
	"is_missed" boolean DEFAULT false NOT NULL,
	"paid_at" bigint,
	"created_at" bigint NOT NULL,
	CONSTRAINT "subscription_cycles_subscription_id_cycle_pk" PRIMARY KEY("subscription_id","cycle")
);
CREATE TABLE "card_links" (
	"subscription_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
CREATE TABLE "ledger_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"for_account_id" text COLLATE "C",
	"livemode" boolean DEFAULT false NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"normal_side" text COLLATE "C" NOT NULL,
	"balance" bigint NOT NULL,
	"sequence" integer NOT NULL,
	"head_hash" text COLLATE "C" NOT NULL,
	"booked_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_owner" CHECK (("ledger_accounts"."account_id" is null) <> ("ledger_accounts"."for_account_id" is null)),
	CONSTRAINT "ledger_accounts_side" CHECK ("ledger_accounts"."normal_side" in ('debit', 'credit')),
	CONSTRAINT "ledger_accounts_currency" CHECK (length("ledger_accounts"."currency") = 3),
	CONSTRAINT "ledger_accounts_balance" CHECK ("ledger_accounts"."balance" between -9007199254740991 and 9007199254740991)
);
CREATE TABLE "journals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"source_kind" text COLLATE "C" NOT NULL,
	"source_id" text COLLATE "C" NOT NULL,
	"transaction_id" text COLLATE "C",
	"event" text COLLATE "C" NOT NULL,
	"reverses_journal_id" text COLLATE "C",
	"booked_at" bigint NOT NULL,
	"value_at" bigint NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "journals_source_kind" CHECK ("journals"."source_kind" in ('transaction')),
	CONSTRAINT "journals_source" CHECK ("journals"."source_kind" <> 'transaction' or ("journals"."transaction_id" is not null and "journals"."transaction_id" = "journals"."source_id"))
);
CREATE TABLE "postings" (
	"ledger_account_id" text COLLATE "C" NOT NULL,
	"sequence" integer NOT NULL,
	"journal_id" text COLLATE "C" NOT NULL,
	"side" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"balance_after" bigint NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"kind" text COLLATE "C",
	"booked_at" bigint NOT NULL,
	"previous_hash" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "postings_ledger_account_id_sequence_pk" PRIMARY KEY("ledger_account_id","sequence"),
	CONSTRAINT "postings_kind" CHECK ("postings"."kind" in ('available', 'held', 'refund_pending', 'pending', 'customer_credit')),
	CONSTRAINT "postings_side" CHECK ("postings"."side" in ('debit', 'credit')),
	CONSTRAINT "postings_amount" CHECK ("postings"."amount" between 1 and 999999999999),
	CONSTRAINT "postings_currency" CHECK (length("postings"."currency") = 3)
);
CREATE TABLE "ledger_checkpoints" (
	"number" integer PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"head_count" integer NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
CREATE TABLE "ledger_checkpoint_heads" (
	"checkpoint_number" integer NOT NULL,
	"ledger_account_id" text COLLATE "C" NOT NULL,
	"sequence" integer NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "ledger_checkpoint_heads_checkpoint_number_ledger_account_id_pk" PRIMARY KEY("checkpoint_number","ledger_account_id")
);
CREATE TABLE "audit_entries" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C",
	"operation" text COLLATE "C" NOT NULL,
	"actor_type" text COLLATE "C" NOT NULL,
	"actor_id" text COLLATE "C",
	"target_id" text COLLATE "C",
	"detail" json NOT NULL,
	"request_id" text COLLATE "C" NOT NULL,
	"ip" text COLLATE "C",
	"user_agent" text COLLATE "C",
	"created_at" bigint NOT NULL
);
CREATE TABLE "audit_changes" (
	"entry_id" text COLLATE "C" NOT NULL,
	"field" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"before" text COLLATE "C",
	"after" text COLLATE "C",
	"salt" text COLLATE "C",
	CONSTRAINT "audit_changes_entry_id_field_pk" PRIMARY KEY("entry_id","field")
);
CREATE TABLE "audit_seals" (
	"number" integer PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
CREATE TABLE "audit_seal_entries" (
	"seal_number" integer NOT NULL,
	"entry_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "audit_seal_entries_seal_number_entry_id_pk" PRIMARY KEY("seal_number","entry_id")
);
CREATE TABLE "events" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"type" text COLLATE "C" NOT NULL,
	"object_id" text COLLATE "C" NOT NULL,
	"sequence" integer NOT NULL,
	"data" json NOT NULL,
	"created_at" bigint NOT NULL
);
CREATE TABLE "idempotency_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"intent" json,
	"status" integer,
	"body" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
CREATE TABLE "jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"object_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"priority" integer DEFAULT 0 NOT NULL,
	"run_at" bigint NOT NULL,
	"due_at" bigint,
	"lease" text COLLATE "C",
	"lease_ends_at" bigint,
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text COLLATE "C",
	"progress" json,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "jobs_status" CHECK ("jobs"."status" in ('waiting', 'dead'))
);
CREATE TABLE "mails" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"payment_id" text COLLATE "C",
	"user_id" text COLLATE "C",
	"kind" text COLLATE "C" NOT NULL,
	"message_id" text COLLATE "C" NOT NULL,
	"from_name" text COLLATE "C" NOT NULL,
	"reply_to" text COLLATE "C",
	"to_address" text COLLATE "C" NOT NULL,
	"to_key" text COLLATE "C" NOT NULL,
	"subject" text COLLATE "C" NOT NULL,
	"text" text COLLATE "C",
	"html" text COLLATE "C",
	"link_purpose" text COLLATE "C",
	"link_object_id" text COLLATE "C",
	"is_automatic" boolean NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_error" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	"sent_at" bigint,
	CONSTRAINT "mails_status" CHECK ("mails"."status" in ('queued', 'sent', 'failed', 'held'))
);
CREATE TABLE "saved_views" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"list" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"filters" json NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "saved_views_list" CHECK ("saved_views"."list" in ('payment_requests', 'invoices', 'subscriptions', 'transactions', 'customers', 'accounts', 'users', 'invitations', 'mails', 'audit_log'))
);
ALTER TABLE "sandbox_clocks" ADD CONSTRAINT "sandbox_clocks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "users" ADD CONSTRAINT "users_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_user_id_users_id_fk" FOREIGN KEY ("owner_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "account_logos" ADD CONSTRAINT "account_logos_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "numbering_claims" ADD CONSTRAINT "numbering_claims_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "numbering_claims" ADD CONSTRAINT "numbering_claims_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invoice_prefixes" ADD CONSTRAINT "invoice_prefixes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customers" ADD CONSTRAINT "customers_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customers" ADD CONSTRAINT "customers_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_words" ADD CONSTRAINT "customer_words_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "payment_words" ADD CONSTRAINT "payment_words_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "payment_reminders" ADD CONSTRAINT "payment_reminders_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_destination_account_id_accounts_id_fk" FOREIGN KEY ("destination_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "transaction_tags" ADD CONSTRAINT "transaction_tags_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "transaction_words" ADD CONSTRAINT "transaction_words_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_id_transactions_id_fk" FOREIGN KEY ("id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_credits" ADD CONSTRAINT "customer_credits_customer_id_customers_id_fk" FOREIGN KEY ("customer_id") REFERENCES "public"."customers"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_credit_uses" ADD CONSTRAINT "customer_credit_uses_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "customer_credit_uses" ADD CONSTRAINT "customer_credit_uses_credit_id_customer_credits_id_fk" FOREIGN KEY ("credit_id") REFERENCES "public"."customer_credits"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "password_resets" ADD CONSTRAINT "password_resets_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "email_links" ADD CONSTRAINT "email_links_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "totp_factors" ADD CONSTRAINT "totp_factors_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "passkey_challenges" ADD CONSTRAINT "passkey_challenges_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_users_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invoice_series" ADD CONSTRAINT "invoice_series_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "invoices" ADD CONSTRAINT "invoices_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "credit_note_series" ADD CONSTRAINT "credit_note_series_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "credit_notes" ADD CONSTRAINT "credit_notes_refund_id_transactions_id_fk" FOREIGN KEY ("refund_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "credit_note_voids" ADD CONSTRAINT "credit_note_voids_credit_note_id_credit_notes_id_fk" FOREIGN KEY ("credit_note_id") REFERENCES "public"."credit_notes"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stored_methods" ADD CONSTRAINT "stored_methods_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stored_methods" ADD CONSTRAINT "stored_methods_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "stored_methods" ADD CONSTRAINT "stored_methods_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_method_id_stored_methods_id_fk" FOREIGN KEY ("method_id") REFERENCES "public"."stored_methods"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_first_payment_id_payments_id_fk" FOREIGN KEY ("first_payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscriptions" ADD CONSTRAINT "subscriptions_latest_payment_id_payments_id_fk" FOREIGN KEY ("latest_payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscription_cycles" ADD CONSTRAINT "subscription_cycles_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "subscription_cycles" ADD CONSTRAINT "subscription_cycles_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "card_links" ADD CONSTRAINT "card_links_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_for_account_id_accounts_id_fk" FOREIGN KEY ("for_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "journals" ADD CONSTRAINT "journals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "journals" ADD CONSTRAINT "journals_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "postings" ADD CONSTRAINT "postings_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "postings" ADD CONSTRAINT "postings_journal_id_journals_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journals"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ledger_checkpoint_heads" ADD CONSTRAINT "ledger_checkpoint_heads_checkpoint_number_ledger_checkpoints_number_fk" FOREIGN KEY ("checkpoint_number") REFERENCES "public"."ledger_checkpoints"("number") ON DELETE no action ON UPDATE no action;
ALTER TABLE "ledger_checkpoint_heads" ADD CONSTRAINT "ledger_checkpoint_heads_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "audit_changes" ADD CONSTRAINT "audit_changes_entry_id_audit_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."audit_entries"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "audit_seal_entries" ADD CONSTRAINT "audit_seal_entries_seal_number_audit_seals_number_fk" FOREIGN KEY ("seal_number") REFERENCES "public"."audit_seals"("number") ON DELETE no action ON UPDATE no action;
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "mails" ADD CONSTRAINT "mails_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "mails" ADD CONSTRAINT "mails_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "mails" ADD CONSTRAINT "mails_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "mails" ADD CONSTRAINT "mails_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");
CREATE INDEX "users_page" ON "users" USING btree ("organization_id","created_at","id");
CREATE INDEX "users_admins" ON "users" USING btree ("organization_id","id","mfa_enabled") WHERE "users"."role" in ('admin') and "users"."status" = 'active';
CREATE INDEX "users_account" ON "users" USING btree ("account_id");
CREATE INDEX "accounts_page" ON "accounts" USING btree ("organization_id","created_at","id");
CREATE INDEX "accounts_email" ON "accounts" USING btree ("organization_id","email_key","created_at","id");
CREATE INDEX "accounts_orphaned" ON "accounts" USING btree ("organization_id","id") WHERE ("accounts"."orphaned_at" is not null and "accounts"."status" = 'open');
CREATE INDEX "accounts_owner" ON "accounts" USING btree ("owner_user_id","status");
CREATE INDEX "accounts_numbering" ON "accounts" USING btree ("organization_id","numbering_key","status","id") WHERE "accounts"."numbering_key" is not null;
CREATE INDEX "account_logos_hash" ON "account_logos" USING btree ("hash");
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");
CREATE UNIQUE INDEX "api_keys_previous_hash" ON "api_keys" USING btree ("previous_hash");
CREATE INDEX "api_keys_page" ON "api_keys" USING btree ("organization_id","created_at","id");
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");
CREATE INDEX "api_keys_creator" ON "api_keys" USING btree ("created_by");
CREATE INDEX "api_keys_unrevoked" ON "api_keys" USING btree ("organization_id","created_at","id") WHERE "api_keys"."revoked_at" is null;
CREATE UNIQUE INDEX "customers_reference" ON "customers" USING btree ("account_id","reference");
CREATE UNIQUE INDEX "customers_request_email" ON "customers" USING btree ("account_id","request_email_key");
CREATE INDEX "customers_changed" ON "customers" USING btree ("organization_id","changed_at","id");
CREATE INDEX "customers_page" ON "customers" USING btree ("organization_id","created_at","id");
CREATE INDEX "customers_sample" ON "customers" USING btree ("organization_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "customers_account_sample" ON "customers" USING btree ("account_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "customers_account_page" ON "customers" USING btree ("account_id","created_at","id");
CREATE INDEX "customers_email" ON "customers" USING btree ("organization_id","email_key","created_at","id");
CREATE INDEX "customers_account_email" ON "customers" USING btree ("account_id","email_key","created_at","id");
CREATE INDEX "customers_organization_reference" ON "customers" USING btree ("organization_id","reference","created_at","id");
CREATE INDEX "customers_erased" ON "customers" USING btree ("account_id","erased_at") WHERE "customers"."erased_at" is not null;
CREATE INDEX "customers_merged" ON "customers" USING btree ("merged_into") WHERE "customers"."merged_into" is not null;
CREATE INDEX "customer_words_search" ON "customer_words" USING btree ("organization_id","word" collate "C","customer_id");
CREATE UNIQUE INDEX "payments_link" ON "payments" USING btree ("link_hash");
CREATE UNIQUE INDEX "payments_reference" ON "payments" USING btree ("account_id","reference");
CREATE INDEX "payments_changed" ON "payments" USING btree ("organization_id","changed_at","id");
CREATE INDEX "payments_page" ON "payments" USING btree ("organization_id","created_at","id");
CREATE INDEX "payments_sample" ON "payments" USING btree ("organization_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "payments_account_sample" ON "payments" USING btree ("account_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "payments_account_page" ON "payments" USING btree ("account_id","created_at","id");
CREATE INDEX "payments_status_page" ON "payments" USING btree ("organization_id","status","created_at","id","expires_at","capture_before");
CREATE INDEX "payments_due" ON "payments" USING btree ("organization_id","type","created_at","id","status","due_at","expires_at") WHERE "payments"."due_at" is not null and "payments"."status" in ('pending', 'partially_paid', 'requires_action', 'failed');
CREATE INDEX "payments_expired" ON "payments" USING btree ("updated_at") WHERE status = 'expired';
CREATE INDEX "payments_customer_email" ON "payments" USING btree ("organization_id","customer_email_key","created_at","id");
CREATE INDEX "payments_held" ON "payments" USING btree ("parent_payment_id","payer_key") WHERE "payments"."place" = 'held';
CREATE INDEX "payments_subscription" ON "payments" USING btree ("subscription_id","created_at","id") WHERE "payments"."subscription_id" is not null;
CREATE INDEX "payments_parent" ON "payments" USING btree ("parent_payment_id","created_at","id") WHERE "payments"."parent_payment_id" is not null;
CREATE INDEX "payments_links" ON "payments" USING btree ("organization_id","created_at","id") WHERE usage_limit is null or usage_limit <> 1;
CREATE INDEX "payments_account_links" ON "payments" USING btree ("account_id","created_at","id") WHERE usage_limit is null or usage_limit <> 1;
CREATE INDEX "payments_overpaid" ON "payments" USING btree ("organization_id","created_at","id") WHERE "payments"."amount_overpaid" > 0;
CREATE INDEX "payments_lost" ON "payments" USING btree ("organization_id","created_at","id") WHERE "payments"."amount_lost" > 0;
CREATE INDEX "payments_paid_late" ON "payments" USING btree ("organization_id","created_at","id") WHERE paid_late_at is not null;
CREATE INDEX "payments_over_limit" ON "payments" USING btree ("organization_id","created_at","id") WHERE over_limit_at is not null;
CREATE INDEX "payments_reminder_waiting" ON "payments" USING btree ("organization_id","created_at","id") WHERE reminder_waits_since is not null;
CREATE INDEX "payments_link_requested" ON "payments" USING btree ("organization_id","created_at","id") WHERE link_requested_at is not null;
CREATE INDEX "payments_customer" ON "payments" USING btree ("customer_id","created_at","id") WHERE "payments"."customer_id" is not null;
CREATE INDEX "payment_words_search" ON "payment_words" USING btree ("organization_id","word" collate "C","payment_id");
CREATE UNIQUE INDEX "sandbox_operations_key" ON "sandbox_operations" USING btree ("kind","idempotency_key");
CREATE INDEX "sandbox_operations_charge" ON "sandbox_operations" USING btree ("charge_reference");
CREATE INDEX "transactions_changed" ON "transactions" USING btree ("organization_id","changed_at","id");
CREATE UNIQUE INDEX "transactions_reference" ON "transactions" USING btree ("account_id","reference") WHERE "transactions"."reference" is not null;
CREATE UNIQUE INDEX "transactions_provider" ON "transactions" USING btree ("provider","provider_reference","type") WHERE "transactions"."provider_reference" is not null;
CREATE INDEX "transactions_page" ON "transactions" USING btree ("organization_id","created_at","id");
CREATE INDEX "transactions_sample" ON "transactions" USING btree ("organization_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "transactions_account_sample" ON "transactions" USING btree ("account_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "transactions_amount_page" ON "transactions" USING btree ("organization_id","amount","created_at","id");
CREATE INDEX "transactions_account_page" ON "transactions" USING btree ("account_id","created_at","id");
CREATE INDEX "transactions_destination_page" ON "transactions" USING btree ("destination_account_id","created_at","id") WHERE "transactions"."destination_account_id" is not null;
CREATE INDEX "transactions_sums" ON "transactions" USING btree ("organization_id","status","created_at","id","type","capture_before","currency","amount","amount_captured","amount_disputed","uses_credit");
CREATE INDEX "transactions_disputed" ON "transactions" USING btree ("organization_id","account_id") WHERE dispute_status in ('open', 'lost');
CREATE INDEX "transactions_disputed_page" ON "transactions" USING btree ("organization_id","created_at","id") WHERE dispute_status in ('open', 'lost');
CREATE INDEX "transactions_stored_method" ON "transactions" USING btree ("stored_method") WHERE "transactions"."stored_method" is not null and "transactions"."settled_at" is null;
CREATE INDEX "transactions_unexpected_dispute" ON "transactions" USING btree ("organization_id","created_at","id") WHERE unexpected_dispute_at is not null;
CREATE INDEX "transactions_settled_late" ON "transactions" USING btree ("organization_id","settled_at","created_at") WHERE settled_at - created_at > 691200000;
CREATE INDEX "transactions_credit" ON "transactions" USING btree ("payment_id") WHERE uses_credit;
CREATE UNIQUE INDEX "transactions_attempt" ON "transactions" USING btree ("attempt_key") WHERE "transactions"."attempt_key" is not null;
CREATE INDEX "transactions_payment" ON "transactions" USING btree ("payment_id","organization_id","created_at","id") WHERE "transactions"."payment_id" is not null;
CREATE INDEX "transactions_parent" ON "transactions" USING btree ("parent_transaction_id","organization_id","created_at","id") WHERE "transactions"."parent_transaction_id" is not null;
CREATE INDEX "transactions_under_way" ON "transactions" USING btree ("account_id","currency") WHERE status in ('processing', 'requires_action');
CREATE INDEX "transactions_customer" ON "transactions" USING btree ("customer_id","created_at","id") WHERE "transactions"."customer_id" is not null;
CREATE INDEX "transactions_customer_email" ON "transactions" USING btree ("organization_id","customer_email_key","created_at","id") WHERE "transactions"."customer_email_key" is not null;
CREATE INDEX "transactions_customer_reference" ON "transactions" USING btree ("organization_id","customer_reference","created_at","id") WHERE "transactions"."customer_reference" is not null;
CREATE INDEX "transactions_card" ON "transactions" USING btree ("organization_id","card_last4","created_at","id") WHERE "transactions"."card_last4" is not null;
CREATE INDEX "transactions_reference_page" ON "transactions" USING btree ("organization_id","reference","created_at","id") WHERE "transactions"."reference" is not null;
CREATE INDEX "transaction_tags_search" ON "transaction_tags" USING btree ("organization_id","scope","key","value","created_at","transaction_id");
CREATE INDEX "transaction_words_search" ON "transaction_words" USING btree ("organization_id","word" collate "C","transaction_id");
CREATE INDEX "customer_credits_left" ON "customer_credits" USING btree ("customer_id","currency","created_at","id") WHERE "customer_credits"."amount_left" > 0;
CREATE INDEX "customer_credits_customer" ON "customer_credits" USING btree ("customer_id","created_at","id");
CREATE INDEX "customer_credit_uses_credit" ON "customer_credit_uses" USING btree ("credit_id","transaction_id");
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","status","created_at");
CREATE INDEX "sessions_last_seen" ON "sessions" USING btree ("user_id","last_seen_at") WHERE "sessions"."status" = 'ended';
CREATE INDEX "sessions_page" ON "sessions" USING btree ("organization_id","created_at","id");
CREATE INDEX "sessions_over" ON "sessions" USING btree (coalesce("ended_at", "absolute_until"));
CREATE INDEX "session_tokens_session" ON "session_tokens" USING btree ("session_id","exchange_key");
CREATE INDEX "throttles_resets" ON "throttles" USING btree ("resets_at");
CREATE INDEX "known_devices_expiry" ON "known_devices" USING btree ("expires_at");
CREATE UNIQUE INDEX "password_resets_hash" ON "password_resets" USING btree ("hash");
CREATE INDEX "password_resets_expiry" ON "password_resets" USING btree ("expires_at");
CREATE INDEX "email_links_user" ON "email_links" USING btree ("user_id","kind");
CREATE INDEX "email_links_address" ON "email_links" USING btree ("email_key");
CREATE INDEX "email_links_expiry" ON "email_links" USING btree ("expires_at");
CREATE UNIQUE INDEX "passkeys_credential" ON "passkeys" USING btree ("credential_id");
CREATE INDEX "passkeys_user" ON "passkeys" USING btree ("user_id");
CREATE INDEX "passkey_challenges_expiry" ON "passkey_challenges" USING btree ("expires_at");
CREATE INDEX "passkey_challenges_user" ON "passkey_challenges" USING btree ("user_id");
CREATE UNIQUE INDEX "invitations_hash" ON "invitations" USING btree ("hash");
CREATE UNIQUE INDEX "invitations_mail_hash" ON "invitations" USING btree ("mail_hash");
CREATE INDEX "invitations_page" ON "invitations" USING btree ("organization_id","created_at","id");
CREATE INDEX "invitations_address" ON "invitations" USING btree ("organization_id","email_key");
CREATE INDEX "invitations_inviter" ON "invitations" USING btree ("invited_by");
CREATE INDEX "invitations_accepted_by" ON "invitations" USING btree ("accepted_by");
CREATE INDEX "invitations_expiry" ON "invitations" USING btree ("expires_at");
CREATE UNIQUE INDEX "invoices_sequence" ON "invoices" USING btree ("account_id","livemode","year","sequence");
CREATE UNIQUE INDEX "credit_notes_sequence" ON "credit_notes" USING btree ("account_id","livemode","year","sequence");
CREATE INDEX "credit_notes_payment" ON "credit_notes" USING btree ("payment_id");
CREATE UNIQUE INDEX "stored_methods_attempt" ON "stored_methods" USING btree ("attempt_key") WHERE "stored_methods"."attempt_key" is not null;
CREATE UNIQUE INDEX "stored_methods_transaction" ON "stored_methods" USING btree ("transaction_id") WHERE "stored_methods"."transaction_id" is not null;
CREATE INDEX "stored_methods_payment" ON "stored_methods" USING btree ("payment_id","created_at","id");
CREATE INDEX "stored_methods_customer" ON "stored_methods" USING btree ("customer_id") WHERE "stored_methods"."customer_id" is not null;
CREATE INDEX "stored_methods_reference" ON "stored_methods" USING btree ("provider_reference") WHERE "stored_methods"."provider_reference" is not null;
CREATE INDEX "subscriptions_changed" ON "subscriptions" USING btree ("organization_id","changed_at","id");
CREATE INDEX "subscriptions_page" ON "subscriptions" USING btree ("organization_id","created_at","id");
CREATE INDEX "subscriptions_sample" ON "subscriptions" USING btree ("organization_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "subscriptions_account_sample" ON "subscriptions" USING btree ("account_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "subscriptions_account_page" ON "subscriptions" USING btree ("account_id","created_at","id");
CREATE INDEX "subscriptions_past_due" ON "subscriptions" USING btree ("organization_id","created_at","id") WHERE status = 'past_due';
CREATE INDEX "subscriptions_customer" ON "subscriptions" USING btree ("customer_id","created_at","id") WHERE "subscriptions"."customer_id" is not null;
CREATE INDEX "subscriptions_waiting" ON "subscriptions" USING btree ("organization_id","created_at","id") WHERE pause_reason is not null;
CREATE UNIQUE INDEX "subscription_cycles_payment" ON "subscription_cycles" USING btree ("payment_id");
CREATE INDEX "subscription_cycles_missed" ON "subscription_cycles" USING btree ("organization_id","created_at") WHERE is_missed and paid_at is null;
CREATE UNIQUE INDEX "card_links_hash" ON "card_links" USING btree ("hash");
CREATE INDEX "ledger_accounts_account" ON "ledger_accounts" USING btree ("account_id","currency");
CREATE INDEX "ledger_accounts_organization" ON "ledger_accounts" USING btree ("organization_id","currency");
CREATE UNIQUE INDEX "journals_reverses" ON "journals" USING btree ("reverses_journal_id") WHERE "journals"."reverses_journal_id" is not null;
CREATE INDEX "journals_transaction" ON "journals" USING btree ("transaction_id");
CREATE INDEX "postings_journal" ON "postings" USING btree ("journal_id");
CREATE INDEX "postings_organization" ON "postings" USING btree ("organization_id","booked_at","sequence","ledger_account_id") WHERE "postings"."kind" is not null;
CREATE INDEX "postings_account" ON "postings" USING btree ("account_id","booked_at","sequence","ledger_account_id") WHERE "postings"."kind" is not null;
CREATE INDEX "ledger_checkpoint_heads_account" ON "ledger_checkpoint_heads" USING btree ("ledger_account_id","sequence");
CREATE INDEX "audit_entries_target" ON "audit_entries" USING btree ("target_id","created_at");
CREATE INDEX "audit_entries_page" ON "audit_entries" USING btree ("organization_id","created_at","id");
CREATE INDEX "audit_entries_sample" ON "audit_entries" USING btree ("organization_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "audit_changes_subject" ON "audit_changes" USING btree ("subject_id");
CREATE UNIQUE INDEX "audit_seal_entries_entry" ON "audit_seal_entries" USING btree ("entry_id");
CREATE UNIQUE INDEX "events_object" ON "events" USING btree ("object_id","sequence");
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");
CREATE UNIQUE INDEX "jobs_key" ON "jobs" USING btree ("key");
CREATE INDEX "jobs_due" ON "jobs" USING btree ("priority","run_at") WHERE "jobs"."status" = 'waiting';
CREATE INDEX "jobs_acts" ON "jobs" USING btree ("organization_id","due_at","id") WHERE "jobs"."status" = 'waiting' and "jobs"."due_at" is not null;
CREATE INDEX "jobs_dead" ON "jobs" USING btree ("organization_id","updated_at","id") WHERE "jobs"."status" = 'dead';
CREATE INDEX "mails_page" ON "mails" USING btree ("organization_id","created_at","id");
CREATE INDEX "mails_sample" ON "mails" USING btree ("organization_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "mails_account_sample" ON "mails" USING btree ("account_id",substr(id, length(id) - 1)) WHERE substr(id, length(id) - 1) < '10';
CREATE INDEX "mails_account_page" ON "mails" USING btree ("account_id","created_at","id");
CREATE INDEX "mails_status_page" ON "mails" USING btree ("organization_id","status","created_at","id");
CREATE INDEX "mails_payment" ON "mails" USING btree ("payment_id");
CREATE INDEX "mails_user" ON "mails" USING btree ("user_id");
CREATE INDEX "mails_recipient" ON "mails" USING btree ("organization_id","to_key" collate "C");
CREATE INDEX "mails_bodies" ON "mails" USING btree ("created_at") WHERE "mails"."text" is not null;
CREATE UNIQUE INDEX "saved_views_name" ON "saved_views" USING btree ("user_id","list","name_key");

-- What the generator cannot express: append-only tables refuse to change their rows. `ledger/verify/triggers.ts` proves
-- each trigger and the text of its function.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

-- What a record says about the customer may be erased once, and nothing else of the row changes with it.
CREATE FUNCTION refuse_change_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	erased CONSTANT jsonb := '{"buyer": null, "note": null, "purchase_order_reference": null, "payment_terms": null, "lines": []}';
	record jsonb := (SELECT jsonb_object_agg(key, coalesce(erased -> key, value)) FROM jsonb_each(OLD.record::jsonb));
BEGIN
	IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
		AND to_jsonb(NEW) = to_jsonb(OLD) || jsonb_build_object('erased_at', NEW.erased_at, 'record', record) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

CREATE TRIGGER journals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_checkpoint_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoint_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seal_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_note_voids_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_note_voids FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER invoices_append_only BEFORE DELETE OR TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_only_erased BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
CREATE TRIGGER credit_notes_append_only BEFORE DELETE OR TRUNCATE ON credit_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_notes_only_erased BEFORE UPDATE ON credit_notes FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
