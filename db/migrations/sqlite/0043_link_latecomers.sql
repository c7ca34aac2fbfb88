ALTER TABLE `payments` ADD `expires_alone` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `came_late_at` integer;