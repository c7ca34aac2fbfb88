// A process that makes and cancels invoices of an account until it is killed, several at once. Prints each number as soon
// as it was answered. Its environment has the database's settings, the ACTOR as JSON, and the time, NOW.

import { cancelPayment } from "@/server/domains/payments/operations/cancel";
import { createPayment } from "@/server/domains/payments/operations/create";
import { finalizePayment } from "@/server/domains/payments/operations/finalize";
import type { Actor } from "@/server/kit/context";
import { parseEnv } from "@/server/process/env";
import { openRuntime } from "@/server/process/runtime";
import { callOn } from "@/test/world";

const callers = 8;
const { ACTOR = "", NOW = "", ...settings } = process.env;
const runtime = await openRuntime(parseEnv(settings), { now: () => Number(NOW) });
const actor = JSON.parse(ACTOR) as Actor;
const invoice = { type: "invoice", amount: 1_250, currency: "EUR" } as const;

const call = callOn(runtime);

/** Makes an invoice, at once or of a draft, and cancels it, which makes a credit note. */
async function write(): Promise<never> {
  for (let isDraft = false; ; isDraft = !isDraft) {
    const { payment_id, ...made } = await call(createPayment, actor, { ...invoice, draft: isDraft });
    const final = isDraft ? await call(finalizePayment, actor, { payment_id }) : made;
    console.log(final.invoice_number);
    const [note] = (await call(cancelPayment, actor, { payment_id })).credit_notes;
    console.log(note?.credit_note_number);
  }
}

await Promise.all(Array.from({ length: callers }, write));
