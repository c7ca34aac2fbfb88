ALTER TABLE "api_keys" ADD COLUMN "prefix" text COLLATE "C" DEFAULT 'qtsk_' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "ip_allow" json;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_hash" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_until" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotated_at" bigint;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "last_used_at" bigint;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "api_keys_previous_hash" ON "api_keys" USING btree ("previous_hash");