CREATE TABLE "audit_seal_entries" (
	"seal_number" integer NOT NULL,
	"entry_id" text COLLATE "C" NOT NULL,
	"hash" text COLLATE "C" NOT NULL,
	CONSTRAINT "audit_seal_entries_seal_number_entry_id_pk" PRIMARY KEY("seal_number","entry_id")
);
--> statement-breakpoint
CREATE TABLE "audit_seals" (
	"number" integer PRIMARY KEY NOT NULL,
	"created_at" bigint NOT NULL,
	"entry_count" integer NOT NULL,
	"key_id" text COLLATE "C" NOT NULL,
	"signature" text COLLATE "C" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "previous_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "rotated_by" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "default_currency" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "locale" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "timezone" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "step_up_amounts" json;--> statement-breakpoint
ALTER TABLE "audit_seal_entries" ADD CONSTRAINT "audit_seal_entries_seal_number_audit_seals_number_fk" FOREIGN KEY ("seal_number") REFERENCES "public"."audit_seals"("number") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "audit_seal_entries" VALIDATE CONSTRAINT "audit_seal_entries_seal_number_audit_seals_number_fk";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "audit_seal_entries_entry" ON "audit_seal_entries" USING btree ("entry_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "api_keys_unrevoked" ON "api_keys" USING btree ("organization_id","created_at","id") WHERE "api_keys"."revoked_at" is null;--> statement-breakpoint
CREATE TRIGGER "audit_seals_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_seals" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER "audit_seal_entries_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "audit_seal_entries" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
