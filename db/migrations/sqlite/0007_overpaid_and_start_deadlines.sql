ALTER TABLE `payments` ADD `amount_overpaid` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_overpaid` ON `payments` (`organization_id`,`created_at`,`id`) WHERE "payments"."amount_overpaid" > 0;--> statement-breakpoint
ALTER TABLE `transactions` ADD `amount_surplus` integer;--> statement-breakpoint
ALTER TABLE `transactions` ADD `start_before` integer;
