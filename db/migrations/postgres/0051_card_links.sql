CREATE TABLE "card_links" (
	"subscription_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"used_at" bigint
);
--> statement-breakpoint
ALTER TABLE "stored_methods" ADD COLUMN "card_link" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "card_links" ADD CONSTRAINT "card_links_subscription_id_subscriptions_id_fk" FOREIGN KEY ("subscription_id") REFERENCES "public"."subscriptions"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "card_links" VALIDATE CONSTRAINT "card_links_subscription_id_subscriptions_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "card_links_hash" ON "card_links" USING btree ("hash");