CREATE TABLE "invitations" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"email" text COLLATE "C" NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"name" text COLLATE "C",
	"role" text COLLATE "C" NOT NULL,
	"account_fields" json,
	"locale" text COLLATE "C",
	"invited_by" text COLLATE "C",
	"hash" text COLLATE "C" NOT NULL,
	"nonce" text COLLATE "C" NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"mail_hash" text COLLATE "C" NOT NULL,
	"mail_nonce" text COLLATE "C" NOT NULL,
	"created_at" bigint NOT NULL,
	"expires_at" bigint NOT NULL,
	"accepted_at" bigint,
	"accepted_by" text COLLATE "C",
	"revoked_at" bigint,
	"revoke_reason" text COLLATE "C",
	CONSTRAINT "invitations_role" CHECK ("invitations"."role" in ('member', 'viewer', 'operator', 'admin'))
);
--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_organization_id_organizations_id_fk";--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_invited_by_users_id_fk";--> statement-breakpoint
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_accepted_by_users_id_fk" FOREIGN KEY ("accepted_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "invitations" VALIDATE CONSTRAINT "invitations_accepted_by_users_id_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "invitations_hash" ON "invitations" USING btree ("hash");--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "invitations_mail_hash" ON "invitations" USING btree ("mail_hash");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "invitations_page" ON "invitations" USING btree ("organization_id","created_at","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "invitations_address" ON "invitations" USING btree ("organization_id","email_key");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "invitations_inviter" ON "invitations" USING btree ("invited_by");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "invitations_accepted_by" ON "invitations" USING btree ("accepted_by");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "invitations_expiry" ON "invitations" USING btree ("expires_at");