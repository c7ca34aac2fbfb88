ALTER TABLE `customers` ADD `merged_into` text;--> statement-breakpoint
ALTER TABLE `customers` ADD `erased_at` integer;--> statement-breakpoint
CREATE INDEX `customers_merged` ON `customers` (`merged_into`) WHERE "customers"."merged_into" is not null;