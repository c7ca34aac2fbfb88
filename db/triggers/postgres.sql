-- What the generator cannot express: append-only tables refuse to change their rows. `ledger/verify/triggers.ts` proves
-- each trigger and the text of its function.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

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

CREATE TRIGGER journals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER postings_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON postings FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_checkpoints_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_checkpoint_heads_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger_checkpoint_heads FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seals_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seals FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_seal_entries_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_seal_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_note_voids_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_note_voids FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TRIGGER invoices_append_only BEFORE DELETE OR TRUNCATE ON invoices FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER invoices_only_erased BEFORE UPDATE ON invoices FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
CREATE TRIGGER credit_notes_append_only BEFORE DELETE OR TRUNCATE ON credit_notes FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER credit_notes_only_erased BEFORE UPDATE ON credit_notes FOR EACH ROW EXECUTE FUNCTION refuse_change_but_erasure();
