ALTER TABLE "totp_factors" ADD COLUMN "next_secret" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "totp_factors" ADD COLUMN "next_created_at" bigint;