ALTER TABLE "credit_notes" ADD COLUMN "erased_at" bigint;--> statement-breakpoint
ALTER TABLE "invoices" ADD COLUMN "erased_at" bigint;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "invoice_retention_years" integer DEFAULT 10 NOT NULL;
--> statement-breakpoint
-- What a record says about the customer may be erased once, and nothing else of the row changes with it.
CREATE FUNCTION refuse_change_but_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	erased CONSTANT jsonb := '{"buyer": null, "note": null, "purchase_order_reference": null, "payment_terms": null, "lines": []}';
	record jsonb := (SELECT jsonb_object_agg(key, coalesce(erased -> key, value)) FROM jsonb_each(OLD.record::jsonb));
BEGIN
	IF OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
		AND to_jsonb(NEW) = to_jsonb(OLD) || jsonb_build_object('erased_at', NEW.erased_at, 'record', record) THEN
		RETURN NEW;
	END IF;
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "invoices_only_erased" BEFORE UPDATE ON "invoices" FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "invoices_append_only" BEFORE DELETE OR TRUNCATE ON "invoices" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER "credit_notes_only_erased" BEFORE UPDATE ON "credit_notes" FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
--> statement-breakpoint
CREATE OR REPLACE TRIGGER "credit_notes_append_only" BEFORE DELETE OR TRUNCATE ON "credit_notes" FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
