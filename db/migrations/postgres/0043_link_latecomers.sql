ALTER TABLE "payments" ADD COLUMN "expires_alone" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "came_late_at" bigint;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "link_request_mail_id" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "link_answered_at" bigint;