-- Rows of the ledger, the audit trail and the event log are written once: the database itself refuses to change them.
CREATE TRIGGER `journals_no_update` BEFORE UPDATE ON `journals` BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `journals_no_delete` BEFORE DELETE ON `journals` BEGIN SELECT RAISE(ABORT, 'journals is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `postings_no_update` BEFORE UPDATE ON `postings` BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `postings_no_delete` BEFORE DELETE ON `postings` BEGIN SELECT RAISE(ABORT, 'postings is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_no_update` BEFORE UPDATE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `audit_entries_no_delete` BEFORE DELETE ON `audit_entries` BEGIN SELECT RAISE(ABORT, 'audit_entries is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `events_no_update` BEFORE UPDATE ON `events` BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `events_no_delete` BEFORE DELETE ON `events` BEGIN SELECT RAISE(ABORT, 'events is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_checkpoints_no_update` BEFORE UPDATE ON `ledger_checkpoints` BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_checkpoints_no_delete` BEFORE DELETE ON `ledger_checkpoints` BEGIN SELECT RAISE(ABORT, 'ledger_checkpoints is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_checkpoint_heads_no_update` BEFORE UPDATE ON `ledger_checkpoint_heads` BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
--> statement-breakpoint
CREATE TRIGGER `ledger_checkpoint_heads_no_delete` BEFORE DELETE ON `ledger_checkpoint_heads` BEGIN SELECT RAISE(ABORT, 'ledger_checkpoint_heads is append-only'); END;
