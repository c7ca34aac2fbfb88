-- What the generator cannot express: append-only tables refuse every change. The proof of the ledger compares each text
-- (server/domains/ledger/verify/triggers.ts).
--
-- INSERT OR REPLACE deletes the old row without its delete trigger, unless the connection says otherwise. So an insert
-- is refused if a row has one of its keys. What an invoice or a credit note says about its customer may be erased once.

CREATE TRIGGER journals_no_update BEFORE UPDATE ON journals BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
CREATE TRIGGER journals_no_delete BEFORE DELETE ON journals BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
CREATE TRIGGER journals_no_replace BEFORE INSERT ON journals
WHEN EXISTS (SELECT 1 FROM journals WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM journals WHERE reverses_journal_id = NEW.reverses_journal_id)
	OR EXISTS (SELECT 1 FROM journals WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;

CREATE TRIGGER postings_no_update BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER postings_no_delete BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
CREATE TRIGGER postings_no_replace BEFORE INSERT ON postings
WHEN EXISTS (SELECT 1 FROM postings WHERE ledger_account_id = NEW.ledger_account_id AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM postings WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;

CREATE TRIGGER ledger_checkpoints_no_update BEFORE UPDATE ON ledger_checkpoints
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
CREATE TRIGGER ledger_checkpoints_no_delete BEFORE DELETE ON ledger_checkpoints
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
CREATE TRIGGER ledger_checkpoints_no_replace BEFORE INSERT ON ledger_checkpoints
WHEN EXISTS (SELECT 1 FROM ledger_checkpoints WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;

CREATE TRIGGER ledger_checkpoint_heads_no_update BEFORE UPDATE ON ledger_checkpoint_heads
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
CREATE TRIGGER ledger_checkpoint_heads_no_delete BEFORE DELETE ON ledger_checkpoint_heads
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
CREATE TRIGGER ledger_checkpoint_heads_no_replace BEFORE INSERT ON ledger_checkpoint_heads
WHEN EXISTS (SELECT 1 FROM ledger_checkpoint_heads WHERE checkpoint_number = NEW.checkpoint_number
		AND ledger_account_id = NEW.ledger_account_id)
	OR EXISTS (SELECT 1 FROM ledger_checkpoint_heads WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;

CREATE TRIGGER events_no_update BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_delete BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
CREATE TRIGGER events_no_replace BEFORE INSERT ON events
WHEN EXISTS (SELECT 1 FROM events WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM events WHERE object_id = NEW.object_id AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM events WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;

CREATE TRIGGER audit_entries_no_update BEFORE UPDATE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
CREATE TRIGGER audit_entries_no_delete BEFORE DELETE ON audit_entries
BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
CREATE TRIGGER audit_entries_no_replace BEFORE INSERT ON audit_entries
WHEN EXISTS (SELECT 1 FROM audit_entries WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM audit_entries WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;

CREATE TRIGGER audit_seals_no_update BEFORE UPDATE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
CREATE TRIGGER audit_seals_no_delete BEFORE DELETE ON audit_seals
BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;
CREATE TRIGGER audit_seals_no_replace BEFORE INSERT ON audit_seals
WHEN EXISTS (SELECT 1 FROM audit_seals WHERE number = NEW.number)
BEGIN SELECT RAISE(ABORT, 'audit_seals is append-only'); END;

CREATE TRIGGER audit_seal_entries_no_update BEFORE UPDATE ON audit_seal_entries
BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
CREATE TRIGGER audit_seal_entries_no_delete BEFORE DELETE ON audit_seal_entries
BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;
CREATE TRIGGER audit_seal_entries_no_replace BEFORE INSERT ON audit_seal_entries
WHEN EXISTS (SELECT 1 FROM audit_seal_entries WHERE seal_number = NEW.seal_number AND entry_id = NEW.entry_id)
	OR EXISTS (SELECT 1 FROM audit_seal_entries WHERE entry_id = NEW.entry_id)
	OR EXISTS (SELECT 1 FROM audit_seal_entries WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'audit_seal_entries is append-only'); END;

CREATE TRIGGER invoices_no_update BEFORE UPDATE ON invoices
WHEN NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
	AND json(NEW.record) IS json_replace(OLD.record, '$.buyer', NULL, '$.note', NULL,
		'$.purchase_order_reference', NULL, '$.payment_terms', NULL, '$.lines', json('[]'))
	AND NEW.payment_id IS OLD.payment_id
	AND NEW.organization_id IS OLD.organization_id
	AND NEW.account_id IS OLD.account_id
	AND NEW.livemode IS OLD.livemode
	AND NEW.year IS OLD.year
	AND NEW.sequence IS OLD.sequence
	AND NEW.created_at IS OLD.created_at
	AND NEW.rowid IS OLD.rowid)
BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
CREATE TRIGGER invoices_no_delete BEFORE DELETE ON invoices BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;
CREATE TRIGGER invoices_no_replace BEFORE INSERT ON invoices
WHEN EXISTS (SELECT 1 FROM invoices WHERE payment_id = NEW.payment_id)
	OR EXISTS (SELECT 1 FROM invoices WHERE account_id = NEW.account_id
		AND livemode = NEW.livemode
		AND year = NEW.year
		AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM invoices WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'invoices is append-only'); END;

CREATE TRIGGER credit_notes_no_update BEFORE UPDATE ON credit_notes
WHEN NOT (OLD.erased_at IS NULL AND NEW.erased_at IS NOT NULL
	AND json(NEW.record) IS json_replace(OLD.record, '$.buyer', NULL, '$.note', NULL,
		'$.purchase_order_reference', NULL, '$.payment_terms', NULL, '$.lines', json('[]'))
	AND NEW.id IS OLD.id
	AND NEW.payment_id IS OLD.payment_id
	AND NEW.organization_id IS OLD.organization_id
	AND NEW.account_id IS OLD.account_id
	AND NEW.livemode IS OLD.livemode
	AND NEW.year IS OLD.year
	AND NEW.sequence IS OLD.sequence
	AND NEW.cause IS OLD.cause
	AND NEW.refund_id IS OLD.refund_id
	AND NEW.amount IS OLD.amount
	AND NEW.pdf_problem IS OLD.pdf_problem
	AND NEW.created_at IS OLD.created_at
	AND NEW.rowid IS OLD.rowid)
BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
CREATE TRIGGER credit_notes_no_delete BEFORE DELETE ON credit_notes
BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;
CREATE TRIGGER credit_notes_no_replace BEFORE INSERT ON credit_notes
WHEN EXISTS (SELECT 1 FROM credit_notes WHERE id = NEW.id)
	OR EXISTS (SELECT 1 FROM credit_notes WHERE account_id = NEW.account_id
		AND livemode = NEW.livemode
		AND year = NEW.year
		AND sequence = NEW.sequence)
	OR EXISTS (SELECT 1 FROM credit_notes WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'credit_notes is append-only'); END;

CREATE TRIGGER credit_note_voids_no_update BEFORE UPDATE ON credit_note_voids
BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
CREATE TRIGGER credit_note_voids_no_delete BEFORE DELETE ON credit_note_voids
BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
CREATE TRIGGER credit_note_voids_no_replace BEFORE INSERT ON credit_note_voids
WHEN EXISTS (SELECT 1 FROM credit_note_voids WHERE credit_note_id = NEW.credit_note_id)
	OR EXISTS (SELECT 1 FROM credit_note_voids WHERE rowid = NEW.rowid)
BEGIN SELECT RAISE(ABORT, 'credit_note_voids is append-only'); END;
