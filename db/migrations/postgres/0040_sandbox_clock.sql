CREATE TABLE "sandbox_clocks" (
	"organization_id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"offset_ms" bigint DEFAULT 0 NOT NULL,
	"is_running" boolean DEFAULT false NOT NULL
);
--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "due_at" bigint;--> statement-breakpoint
ALTER TABLE "sandbox_clocks" ADD CONSTRAINT "sandbox_clocks_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "sandbox_clocks" VALIDATE CONSTRAINT "sandbox_clocks_organization_id_organizations_id_fk";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "jobs_acts" ON "jobs" USING btree ("organization_id","due_at","id") WHERE "jobs"."status" = 'waiting' and "jobs"."due_at" is not null;