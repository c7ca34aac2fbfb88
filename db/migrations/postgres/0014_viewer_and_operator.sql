ALTER TABLE "users" ADD COLUMN "locale" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "timezone" text COLLATE "C";--> statement-breakpoint
ALTER TABLE "users" DROP CONSTRAINT "users_role", ADD CONSTRAINT "users_role" CHECK ("users"."role" in ('member', 'viewer', 'operator', 'admin')) NOT VALID;--> statement-breakpoint
ALTER TABLE "users" VALIDATE CONSTRAINT "users_role";
