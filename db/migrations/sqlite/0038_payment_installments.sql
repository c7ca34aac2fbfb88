ALTER TABLE `payments` ADD `allow_partial` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `minimum_amount` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `installments` text;