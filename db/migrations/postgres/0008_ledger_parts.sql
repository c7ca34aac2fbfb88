DROP INDEX "transactions_processing";--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD COLUMN "for_account_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD COLUMN "livemode" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "ledger_accounts" ADD CONSTRAINT "ledger_accounts_for_account_id_accounts_id_fk" FOREIGN KEY ("for_account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "transactions_under_way" ON "transactions" USING btree ("account_id","currency") WHERE status in ('processing', 'requires_action');