ALTER TABLE "payments" ADD COLUMN "expires_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "came_late_at" bigint;