ALTER TABLE `organizations` ADD `catch_up` text DEFAULT 'latest' NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `is_trial` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `is_renewal` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `subscription_id` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `stored_method` text;