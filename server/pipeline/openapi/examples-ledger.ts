// Examples of ledger entries.
import type { OperationExamples } from "./story";
import { ids } from "./story";

const captured = {
  posting_id: `${ids.account}:available:EUR/12`,
  number: 12,
  account_id: ids.account,
  kind: "available",
  currency: "EUR",
  signed_amount: 1250,
  balance_after: 48250,
  booked_at: "2026-11-20T12:00:03.120Z",
  value_at: "2026-11-20T12:00:01.000Z",
  event: "payment_captured",
  source_id: ids.transaction,
  transaction_id: ids.transaction,
  payment_id: ids.payment,
  invoice_number: null,
};

const csv = [
  "booked_local_date,event,signed_decimal,balance_after_decimal,currency,account_name",
  "2026-11-20,payment_captured,12.50,482.50,EUR,Corner Bakery",
  "",
].join("\r\n");

export const ledgerExamples: Readonly<Record<string, OperationExamples>> = {
  "ledger.entries": {
    response: {
      data: [captured],
      ...{
        has_more: false,
        next_cursor: null,
        total_count: null,
        total_is_estimate: null,
        final_before: "2026-11-20T12:05:00.000Z",
      },
    },
  },
  "ledger.exportEntries": {
    response: { "text/csv": csv, "application/x-ndjson": `${JSON.stringify(captured)}\n` },
  },
};
