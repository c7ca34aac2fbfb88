ALTER TABLE "payments" ADD COLUMN "allow_partial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "minimum_amount" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "installments" json;