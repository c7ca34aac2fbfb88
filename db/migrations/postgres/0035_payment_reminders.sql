CREATE TABLE "payment_reminders" (
	"payment_id" text COLLATE "C" NOT NULL,
	"offset_days" integer NOT NULL,
	"planned_at" bigint NOT NULL,
	"sent_at" bigint,
	"mail_id" text COLLATE "C",
	"skipped_reason" text COLLATE "C",
	CONSTRAINT "payment_reminders_payment_id_offset_days_pk" PRIMARY KEY("payment_id","offset_days"),
	CONSTRAINT "payment_reminders_outcome" CHECK ("payment_reminders"."sent_at" is null or "payment_reminders"."skipped_reason" is null)
);
--> statement-breakpoint
ALTER TABLE "payment_reminders" ADD CONSTRAINT "payment_reminders_payment_id_payments_id_fk" FOREIGN KEY ("payment_id") REFERENCES "public"."payments"("id") ON DELETE no action ON UPDATE no action NOT VALID;--> statement-breakpoint
ALTER TABLE "payment_reminders" VALIDATE CONSTRAINT "payment_reminders_payment_id_payments_id_fk";