CREATE TABLE "accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"owner_user_id" text COLLATE "C",
	"account_type" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"search_text" text COLLATE "C" DEFAULT '' NOT NULL,
	"preferences" json NOT NULL,
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
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"created_by" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"last4" text COLLATE "C" NOT NULL,
	"scopes" json NOT NULL,
	"expires_at" bigint,
	"revoked_at" bigint,
	"revoke_reason" text COLLATE "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
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
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"fingerprint" text COLLATE "C" NOT NULL,
	"intent" json,
	"status" integer,
	"body" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "journals" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"transaction_id" text COLLATE "C" NOT NULL,
	"event" text COLLATE "C" NOT NULL,
	"reverses_journal_id" text COLLATE "C",
	"created_at" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_accounts" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"name" text COLLATE "C" NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"normal_side" text COLLATE "C" NOT NULL,
	"balance" bigint NOT NULL,
	"sequence" integer NOT NULL,
	"head_hash" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "ledger_accounts_side" CHECK ("ledger_accounts"."normal_side" in ('debit', 'credit')),
	CONSTRAINT "ledger_accounts_currency" CHECK (length("ledger_accounts"."currency") = 3),
	CONSTRAINT "ledger_accounts_balance" CHECK ("ledger_accounts"."balance" between -9007199254740991 and 9007199254740991)
);
--> statement-breakpoint
CREATE TABLE "ledger_checkpoint_heads" (
	"checkpoint_number" integer NOT NULL,
	"ledger_account_id" text COLLATE "C" NOT NULL,
	"sequence" integer NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "ledger_checkpoint_heads_checkpoint_number_ledger_account_id_pk" PRIMARY KEY("checkpoint_number","ledger_account_id")
);
--> statement-breakpoint
CREATE TABLE "ledger_checkpoints" (
	"number" integer PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"head_count" integer NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"mode" text COLLATE "C" NOT NULL,
	"members_record_payments" boolean DEFAULT false NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "organizations_mode" CHECK ("organizations"."mode" in ('sandbox', 'live'))
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"amount_paid" bigint DEFAULT 0 NOT NULL,
	"amount_authorized" bigint DEFAULT 0 NOT NULL,
	"amount_capturable" bigint DEFAULT 0 NOT NULL,
	"amount_released" bigint DEFAULT 0 NOT NULL,
	"amount_waived" bigint DEFAULT 0 NOT NULL,
	"amount_refunded" bigint DEFAULT 0 NOT NULL,
	"amount_disputed" bigint DEFAULT 0 NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"description" text COLLATE "C",
	"reference" text COLLATE "C",
	"customer" json,
	"customer_email_key" text COLLATE "C",
	"line_items" json NOT NULL,
	"subscription" json,
	"capture_method" text COLLATE "C" NOT NULL,
	"capture_before" bigint,
	"success_url" text COLLATE "C",
	"locale" text COLLATE "C",
	"metadata" json NOT NULL,
	"last_error" json,
	"canceled_at" bigint,
	"failed_at" bigint,
	"paid_at" bigint,
	"viewed_at" bigint,
	"due_at" bigint,
	"expires_at" bigint,
	"livemode" boolean NOT NULL,
	"link_hash" text COLLATE "C" NOT NULL,
	"link_nonce" text COLLATE "C" NOT NULL,
	"link_key_id" text COLLATE "C" NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "payments_type" CHECK ("payments"."type" in ('product', 'subscription', 'invoice')),
	CONSTRAINT "payments_status" CHECK ("payments"."status" in ('draft', 'pending', 'requires_action', 'processing', 'authorized', 'partially_paid', 'paid', 'partially_refunded', 'refunded', 'disputed', 'failed', 'canceled', 'expired')),
	CONSTRAINT "payments_capture_method" CHECK ("payments"."capture_method" in ('automatic', 'manual')),
	CONSTRAINT "payments_amount" CHECK ("payments"."amount" between 1 and 999999999999),
	CONSTRAINT "payments_currency" CHECK (length("payments"."currency") = 3),
	CONSTRAINT "payments_amounts" CHECK ("payments"."amount_paid" >= 0 and "payments"."amount_refunded" between 0 and "payments"."amount_paid" and "payments"."amount_capturable" >= 0 and "payments"."amount_released" >= 0)
);
--> statement-breakpoint
CREATE TABLE "postings" (
	"ledger_account_id" text COLLATE "C" NOT NULL,
	"sequence" integer NOT NULL,
	"journal_id" text COLLATE "C" NOT NULL,
	"side" text COLLATE "C" NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text COLLATE "C" NOT NULL,
	"balance_after" bigint NOT NULL,
	"previous_hash" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "postings_ledger_account_id_sequence_pk" PRIMARY KEY("ledger_account_id","sequence"),
	CONSTRAINT "postings_side" CHECK ("postings"."side" in ('debit', 'credit')),
	CONSTRAINT "postings_amount" CHECK ("postings"."amount" between 1 and 999999999999),
	CONSTRAINT "postings_currency" CHECK (length("postings"."currency") = 3)
);
--> statement-breakpoint
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
--> statement-breakpoint
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
	"revoked_at" bigint,
	CONSTRAINT "session_tokens_kind" CHECK ("session_tokens"."kind" in ('access', 'refresh', 'cookie'))
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "throttles" (
	"bucket" text COLLATE "C" PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"resets_at" bigint NOT NULL
);
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TABLE "transaction_words" (
	"transaction_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "transaction_words_transaction_id_word_pk" PRIMARY KEY("transaction_id","word")
);
--> statement-breakpoint
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
	"payment_id" text COLLATE "C",
	"parent_transaction_id" text COLLATE "C",
	"destination_account_id" text COLLATE "C",
	"payment_method" json,
	"provider" text COLLATE "C",
	"provider_reference" text COLLATE "C",
	"failure" json,
	"reason" text COLLATE "C",
	"reference" text COLLATE "C",
	"description" text COLLATE "C",
	"customer" json,
	"customer_email_key" text COLLATE "C",
	"customer_reference" text COLLATE "C",
	"metadata" json NOT NULL,
	"effective_at" bigint NOT NULL,
	"livemode" boolean NOT NULL,
	"capture_before" bigint,
	"attempt_key" text COLLATE "C",
	"reconcile_after" bigint,
	"settled_at" bigint,
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "transactions_type" CHECK ("transactions"."type" in ('payment', 'credit', 'refund', 'transfer', 'adjustment')),
	CONSTRAINT "transactions_status" CHECK ("transactions"."status" in ('pending', 'requires_action', 'processing', 'authorized', 'succeeded', 'partially_refunded', 'refunded', 'disputed', 'charged_back', 'failed', 'canceled', 'expired', 'reversed')),
	CONSTRAINT "transactions_direction" CHECK ("transactions"."direction" in ('in', 'out')),
	CONSTRAINT "transactions_amount" CHECK ("transactions"."amount" between 1 and 999999999999),
	CONSTRAINT "transactions_currency" CHECK (length("transactions"."currency") = 3),
	CONSTRAINT "transactions_refunds" CHECK ("transactions"."amount_refunded" >= 0 and "transactions"."amount_refunding" >= 0 and "transactions"."amount_refunded" + "transactions"."amount_refunding" <= "transactions"."amount_captured"),
	CONSTRAINT "transactions_transfer" CHECK (("transactions"."type" = 'transfer') = ("transactions"."destination_account_id" is not null)),
	CONSTRAINT "transactions_refund" CHECK (("transactions"."type" = 'refund') = ("transactions"."parent_transaction_id" is not null))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"account_id" text COLLATE "C",
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C",
	"name" text COLLATE "C",
	"search_text" text COLLATE "C" DEFAULT '' NOT NULL,
	"password_hash" text COLLATE "C",
	"role" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"mfa_enabled" boolean DEFAULT false NOT NULL,
	"last_login_at" bigint,
	"created_at" bigint NOT NULL,
	"removed_at" bigint,
	CONSTRAINT "users_role" CHECK ("users"."role" in ('member', 'admin')),
	CONSTRAINT "users_status" CHECK ("users"."status" in ('active', 'removed')),
	CONSTRAINT "users_removed" CHECK (("users"."status" = 'removed') = ("users"."email_key" is null))
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_user_id_users_id_fk" FOREIGN KEY ("owner_user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_created_by_users_id_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journals" ADD CONSTRAINT "journals_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "journals" ADD CONSTRAINT "journals_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_checkpoint_heads" ADD CONSTRAINT "ledger_checkpoint_heads_checkpoint_number_ledger_checkpoints_number_fk" FOREIGN KEY ("checkpoint_number") REFERENCES "public"."ledger_checkpoints"("number") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_checkpoint_heads" ADD CONSTRAINT "ledger_checkpoint_heads_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_ledger_account_id_ledger_accounts_id_fk" FOREIGN KEY ("ledger_account_id") REFERENCES "public"."ledger_accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "postings" ADD CONSTRAINT "postings_journal_id_journals_id_fk" FOREIGN KEY ("journal_id") REFERENCES "public"."journals"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session_tokens" ADD CONSTRAINT "session_tokens_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_tags" ADD CONSTRAINT "transaction_tags_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transaction_words" ADD CONSTRAINT "transaction_words_transaction_id_transactions_id_fk" FOREIGN KEY ("transaction_id") REFERENCES "public"."transactions"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transactions" ADD CONSTRAINT "transactions_destination_account_id_accounts_id_fk" FOREIGN KEY ("destination_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_page" ON "accounts" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "accounts_owner" ON "accounts" USING btree ("owner_user_id","status");--> statement-breakpoint
CREATE UNIQUE INDEX "api_keys_hash" ON "api_keys" USING btree ("hash");--> statement-breakpoint
CREATE INDEX "api_keys_page" ON "api_keys" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "api_keys_creator" ON "api_keys" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "audit_entries_page" ON "audit_entries" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "audit_entries_target" ON "audit_entries" USING btree ("target_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "events_object" ON "events" USING btree ("object_id","sequence");--> statement-breakpoint
CREATE INDEX "events_page" ON "events" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_expiry" ON "idempotency_keys" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "journals_reverses" ON "journals" USING btree ("reverses_journal_id");--> statement-breakpoint
CREATE INDEX "journals_transaction" ON "journals" USING btree ("transaction_id");--> statement-breakpoint
CREATE INDEX "journals_page" ON "journals" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "ledger_accounts_account" ON "ledger_accounts" USING btree ("account_id","currency");--> statement-breakpoint
CREATE INDEX "ledger_accounts_organization" ON "ledger_accounts" USING btree ("organization_id","currency");--> statement-breakpoint
CREATE INDEX "ledger_checkpoint_heads_account" ON "ledger_checkpoint_heads" USING btree ("ledger_account_id","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_link" ON "payments" USING btree ("link_hash");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_reference" ON "payments" USING btree ("account_id","reference");--> statement-breakpoint
CREATE INDEX "payments_page" ON "payments" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_account_page" ON "payments" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_status_page" ON "payments" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_customer_email" ON "payments" USING btree ("organization_id","customer_email_key","created_at","id");--> statement-breakpoint
CREATE INDEX "payments_expiry" ON "payments" USING btree ("expires_at") WHERE "payments"."status" in ('pending', 'partially_paid', 'requires_action') and "payments"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "postings_journal" ON "postings" USING btree ("journal_id");--> statement-breakpoint
CREATE UNIQUE INDEX "sandbox_operations_key" ON "sandbox_operations" USING btree ("kind","idempotency_key");--> statement-breakpoint
CREATE INDEX "sandbox_operations_charge" ON "sandbox_operations" USING btree ("charge_reference");--> statement-breakpoint
CREATE INDEX "session_tokens_session" ON "session_tokens" USING btree ("session_id","exchange_key");--> statement-breakpoint
CREATE INDEX "sessions_user" ON "sessions" USING btree ("user_id","status","created_at");--> statement-breakpoint
CREATE INDEX "sessions_page" ON "sessions" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "throttles_resets" ON "throttles" USING btree ("resets_at");--> statement-breakpoint
CREATE INDEX "transaction_tags_search" ON "transaction_tags" USING btree ("organization_id","scope","key","value","created_at","transaction_id");--> statement-breakpoint
CREATE INDEX "transaction_words_search" ON "transaction_words" USING btree ("organization_id","word" collate "C","transaction_id");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_reference" ON "transactions" USING btree ("account_id","reference") WHERE "transactions"."reference" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_provider" ON "transactions" USING btree ("provider","provider_reference","type") WHERE "transactions"."provider_reference" is not null;--> statement-breakpoint
CREATE INDEX "transactions_page" ON "transactions" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_account_page" ON "transactions" USING btree ("account_id","created_at","id");--> statement-breakpoint
CREATE INDEX "transactions_destination_page" ON "transactions" USING btree ("destination_account_id","created_at","id") WHERE "transactions"."destination_account_id" is not null;--> statement-breakpoint
CREATE INDEX "transactions_status_page" ON "transactions" USING btree ("organization_id","status","created_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "transactions_attempt" ON "transactions" USING btree ("attempt_key") WHERE "transactions"."attempt_key" is not null;--> statement-breakpoint
CREATE INDEX "transactions_reconcile" ON "transactions" USING btree ("reconcile_after") WHERE "transactions"."reconcile_after" is not null;--> statement-breakpoint
CREATE INDEX "transactions_payment" ON "transactions" USING btree ("payment_id","organization_id","created_at","id") WHERE "transactions"."payment_id" is not null;--> statement-breakpoint
CREATE INDEX "transactions_parent" ON "transactions" USING btree ("parent_transaction_id","organization_id","created_at","id") WHERE "transactions"."parent_transaction_id" is not null;--> statement-breakpoint
CREATE INDEX "transactions_processing" ON "transactions" USING btree ("account_id","currency") WHERE status = 'processing';--> statement-breakpoint
CREATE INDEX "transactions_customer_email" ON "transactions" USING btree ("organization_id","customer_email_key","created_at","id") WHERE "transactions"."customer_email_key" is not null;--> statement-breakpoint
CREATE INDEX "transactions_customer_reference" ON "transactions" USING btree ("organization_id","customer_reference","created_at","id") WHERE "transactions"."customer_reference" is not null;--> statement-breakpoint
CREATE INDEX "transactions_reference_page" ON "transactions" USING btree ("organization_id","reference","created_at","id") WHERE "transactions"."reference" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_email_key" ON "users" USING btree ("email_key");--> statement-breakpoint
CREATE INDEX "users_page" ON "users" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX "users_account" ON "users" USING btree ("account_id");