ALTER TABLE `payments` ADD `expires_alone` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `came_late_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `link_request_mail_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `link_answered_at` integer;