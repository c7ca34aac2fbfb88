ALTER TABLE "subscriptions" ADD COLUMN "paused_cycles" json;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "card_before" text COLLATE "C";