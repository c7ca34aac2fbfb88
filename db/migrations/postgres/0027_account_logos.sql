CREATE TABLE "account_logos" (
	"account_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	"type" text COLLATE "C" NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"image" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "account_logos_type" CHECK ("account_logos"."type" in ('image/png', 'image/jpeg'))
);
--> statement-breakpoint
ALTER TABLE "account_logos" ADD CONSTRAINT "account_logos_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "account_logos" VALIDATE CONSTRAINT "account_logos_account_id_accounts_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "account_logos_hash" ON "account_logos" USING btree ("hash");