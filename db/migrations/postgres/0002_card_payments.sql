CREATE TABLE "jobs" (
	"id" text COLLATE "C" PRIMARY KEY NOT NULL,
	"kind" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"object_id" text COLLATE "C" NOT NULL,
	"status" text COLLATE "C" NOT NULL,
	"run_at" bigint NOT NULL,
	"lease" text COLLATE "C",
	"failures" integer DEFAULT 0 NOT NULL,
	"last_error" text COLLATE "C",
	"created_at" bigint NOT NULL,
	"updated_at" bigint NOT NULL,
	CONSTRAINT "jobs_status" CHECK ("jobs"."status" in ('waiting', 'dead'))
);
--> statement-breakpoint
DROP INDEX "payments_expiry";--> statement-breakpoint
DROP INDEX "transactions_reconcile";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "action_url" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "capture_requested" bigint;--> statement-breakpoint
ALTER TABLE "transactions" ADD COLUMN "action_url" text COLLATE "C";--> statement-breakpoint
CREATE UNIQUE INDEX "jobs_key" ON "jobs" USING btree ("key");--> statement-breakpoint
CREATE INDEX "jobs_due" ON "jobs" USING btree ("run_at") WHERE "jobs"."status" = 'waiting';--> statement-breakpoint
CREATE INDEX "jobs_dead" ON "jobs" USING btree ("organization_id","updated_at","id") WHERE "jobs"."status" = 'dead';