CREATE TABLE "saved_views" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"user_id" text COLLATE "C" NOT NULL,
	"list" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C" NOT NULL,
	"name_key" text COLLATE "C" NOT NULL,
	"filters" json NOT NULL,
	"created_at" bigint NOT NULL,
	CONSTRAINT "saved_views_list" CHECK ("saved_views"."list" in ('payment_requests', 'transactions', 'accounts', 'users', 'invitations', 'mails', 'audit_log'))
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "list_displays" json;--> statement-breakpoint
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "saved_views" VALIDATE CONSTRAINT "saved_views_user_id_users_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "saved_views_name" ON "saved_views" USING btree ("user_id","list","name_key");