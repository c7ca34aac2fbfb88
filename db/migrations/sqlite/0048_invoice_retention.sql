ALTER TABLE `credit_notes` ADD `erased_at` integer;--> statement-breakpoint
ALTER TABLE `invoices` ADD `erased_at` integer;--> statement-breakpoint
ALTER TABLE `organizations` ADD `invoice_retention_years` integer DEFAULT 10 NOT NULL;
--> statement-breakpoint
DROP TRIGGER `invoices_no_update`;
--> statement-breakpoint
CREATE TRIGGER `invoices_no_update` BEFORE UPDATE ON `invoices` WHEN NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND json(NEW.record) IS json_replace(OLD.record, '$.buyer', NULL, '$.note', NULL, '$.purchase_order_reference', NULL, '$.payment_terms', NULL, '$.lines', json('[]')) AND NEW.payment_id IS OLD.payment_id AND NEW.organization_id IS OLD.organization_id AND NEW.account_id IS OLD.account_id AND NEW.livemode IS OLD.livemode AND NEW.year IS OLD.year AND NEW.sequence IS OLD.sequence AND NEW.created_at IS OLD.created_at AND NEW.rowid IS OLD.rowid) BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
--> statement-breakpoint
DROP TRIGGER `credit_notes_no_update`;
--> statement-breakpoint
CREATE TRIGGER `credit_notes_no_update` BEFORE UPDATE ON `credit_notes` WHEN NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL AND json(NEW.record) IS json_replace(OLD.record, '$.buyer', NULL, '$.note', NULL, '$.purchase_order_reference', NULL, '$.payment_terms', NULL, '$.lines', json('[]')) AND NEW.id IS OLD.id AND NEW.payment_id IS OLD.payment_id AND NEW.organization_id IS OLD.organization_id AND NEW.account_id IS OLD.account_id AND NEW.livemode IS OLD.livemode AND NEW.year IS OLD.year AND NEW.sequence IS OLD.sequence AND NEW.cause IS OLD.cause AND NEW.refund_id IS OLD.refund_id AND NEW.amount IS OLD.amount AND NEW.pdf_problem IS OLD.pdf_problem AND NEW.created_at IS OLD.created_at AND NEW.rowid IS OLD.rowid) BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
