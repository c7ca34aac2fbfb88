CREATE TABLE "audit_changes" (
	"entry_id" text COLLATE "C" NOT NULL,
	"field" text COLLATE "C" NOT NULL,
	"subject_id" text COLLATE "C" NOT NULL,
	"before" text COLLATE "C",
	"after" text COLLATE "C",
	"salt" text COLLATE "C",
	CONSTRAINT "audit_changes_entry_id_field_pk" PRIMARY KEY("entry_id","field")
);
--> statement-breakpoint
ALTER TABLE "audit_entries" ADD COLUMN "user_agent" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "audit_changes" ADD CONSTRAINT "audit_changes_entry_id_audit_entries_id_fk" FOREIGN KEY ("entry_id") REFERENCES "public"."audit_entries"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "audit_changes" VALIDATE CONSTRAINT "audit_changes_entry_id_audit_entries_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_changes_subject" ON "audit_changes" USING btree ("subject_id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_entries_page" ON "audit_entries" USING btree ("organization_id","created_at","id");