ALTER TABLE "organizations" ADD COLUMN "catch_up" text COLLATE "C" DEFAULT 'latest' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_trial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_renewal" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "subscription_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "stored_method" text COLLATE "C";