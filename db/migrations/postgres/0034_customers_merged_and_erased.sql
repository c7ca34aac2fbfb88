ALTER TABLE "customers" ADD COLUMN "merged_into" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "customers" ADD COLUMN "erased_at" bigint;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "customers_merged" ON "customers" USING btree ("merged_into") WHERE "customers"."merged_into" is not null;