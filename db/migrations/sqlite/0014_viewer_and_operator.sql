PRAGMA foreign_keys=OFF;--> statement-breakpoint
CREATE TABLE `__new_users` (
	`id` text PRIMARY KEY NOT NULL,
	`organization_id` text NOT NULL,
	`account_id` text,
	`email` text NOT NULL,
	`email_key` text,
	`name` text,
	`search_text` text DEFAULT '' NOT NULL,
	`password_hash` text,
	`role` text NOT NULL,
	`locale` text,
	`timezone` text,
	`status` text NOT NULL,
	`mfa_enabled` integer DEFAULT false NOT NULL,
	`last_login_at` integer,
	`created_at` integer NOT NULL,
	`removed_at` integer,
	FOREIGN KEY (`organization_id`) REFERENCES `organizations`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "users_role" CHECK("__new_users"."role" in ('member', 'viewer', 'operator', 'admin')),
	CONSTRAINT "users_status" CHECK("__new_users"."status" in ('active', 'removed')),
	CONSTRAINT "users_removed" CHECK(("__new_users"."status" = 'removed') = ("__new_users"."email_key" is null))
) STRICT;
--> statement-breakpoint
INSERT INTO `__new_users`("id", "organization_id", "account_id", "email", "email_key", "name", "search_text", "password_hash", "role", "status", "mfa_enabled", "last_login_at", "created_at", "removed_at") SELECT "id", "organization_id", "account_id", "email", "email_key", "name", "search_text", "password_hash", "role", "status", "mfa_enabled", "last_login_at", "created_at", "removed_at" FROM `users`;--> statement-breakpoint
DROP TABLE `users`;--> statement-breakpoint
ALTER TABLE `__new_users` RENAME TO `users`;--> statement-breakpoint
PRAGMA foreign_keys=ON;--> statement-breakpoint
CREATE UNIQUE INDEX `users_email_key` ON `users` (`email_key`);--> statement-breakpoint
CREATE INDEX `users_page` ON `users` (`organization_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `users_account` ON `users` (`account_id`);