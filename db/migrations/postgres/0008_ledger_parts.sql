-- The version before still reads through transactions_processing: a later release drops it.
ALTER TABLE "ledger_accounts" ADD COLUMN "for_account_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD COLUMN "livemode" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_for_account_id_accounts_id_fk" FOREIGN KEY ("for_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "ledger_accounts" VALIDATE CONSTRAINT "ledger_accounts_for_account_id_accounts_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "transactions_under_way" ON "transactions" USING btree ("account_id","currency") WHERE status in ('processing', 'requires_action');
