CREATE TABLE "payment_words" (
	"payment_id" text COLLATE "C" NOT NULL,
	"organization_id" text COLLATE "C" NOT NULL,
	"word" text COLLATE "C" NOT NULL,
	CONSTRAINT "payment_words_payment_id_word_pk" PRIMARY KEY("payment_id","word")
);
--> statement-breakpoint
DROP INDEX "payments_status_page";--> statement-breakpoint
ALTER TABLE "payment_words" ADD CONSTRAINT "payment_words_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "payment_words_search" ON "payment_words" USING btree ("organization_id","word" collate "C","payment_id");--> statement-breakpoint
CREATE INDEX "payments_status_page" ON "payments" USING btree ("organization_id","status","created_at","id","expires_at","capture_before");--> statement-breakpoint
INSERT INTO "jobs" ("id", "kind", "key", "organization_id", "object_id", "status", "run_at", "created_at", "updated_at")
SELECT 'job_' || substr("id", 5), 'payments.words', 'payments.words:' || "id", "id", "id", 'waiting', "created_at", "created_at", "created_at"
FROM "organizations" WHERE "id" IN (SELECT "organization_id" FROM "payments");