ALTER TABLE `subscriptions` ADD `paused_cycles` text;--> statement-breakpoint
ALTER TABLE `transactions` ADD `card_before` text;