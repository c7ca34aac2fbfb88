ALTER TABLE `payments` ADD `amount_overpaid` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `payments_overpaid` ON `payments` (`organization_id`,`created_at`,`id`) WHERE "payments"."amount_overpaid" > 0;--> statement-breakpoint
ALTER TABLE `transactions` ADD `amount_surplus` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `transactions` ADD `start_before` integer;--> statement-breakpoint
-- Of a request that was overpaid before, every refund has given back its surplus first.
UPDATE "transactions" SET "amount_surplus" = "amount"
WHERE "type" = 'refund' AND "status" IN ('pending', 'succeeded')
AND "payment_id" IN (SELECT "id" FROM "payments" WHERE "amount_paid" + "amount_waived" > "payments"."amount");--> statement-breakpoint
UPDATE "payments" SET "amount_overpaid" = "amount_paid" + "amount_waived" - "amount" - "amount_refunded"
WHERE "amount_paid" + "amount_waived" - "amount" > "amount_refunded";--> statement-breakpoint
-- A capture of more than its authorization, which two open authorizations led to, could never be carried out.
UPDATE "transactions" SET "capture_requested" = "amount" WHERE "capture_requested" > "amount";
