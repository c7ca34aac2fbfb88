ALTER TABLE `payments` ADD `dispute_status` text DEFAULT 'none' NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `dispute_status` text DEFAULT 'none' NOT NULL;