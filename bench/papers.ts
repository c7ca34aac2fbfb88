// What papers cost: the CPU time of the thread that draws them, from its start on, the time that the event loop prepares
// them for, and the bytes of the file. Stores nothing: npx tsx bench/papers.ts [rounds].
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { InvoiceLine, InvoiceTax } from "@/db/schema/invoice-values";
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import type { IssuedCreditNote } from "@/server/domains/payments/invoices/issued-credit-note";
import type { Receipt } from "@/server/domains/payments/operations/receipt";
import { creditNotePaper } from "@/server/hosted/papers/credit-note-paper";
import { draw } from "@/server/hosted/papers/draw";
import { invoicePaper } from "@/server/hosted/papers/invoice-paper";
import type { Paper } from "@/server/hosted/papers/paper";
import { receiptPaper } from "@/server/hosted/papers/receipt-paper";
import { readerOf } from "@/server/hosted/reader";

const rounds = Number(process.argv[2] ?? 50);
const reader = readerOf({ query: new URLSearchParams(), headers: new Headers({ "accept-language": "en" }) });

const address = { line1: "Graben 1", line2: null, postal_code: "1010", city: "Vienna", region: null, country: "AT" };
const seller = {
  ...{ name: "Bakery GmbH", trading_name: "The Bakery", identifier: null, vat_identifier: "ATU12345678" },
  ...{ email: "hello@bakery.example", address },
};
const buyer = { ...seller, name: "Grace Hopper", trading_name: null, vat_identifier: null, identifier: "C-17" };
const names = ["Sourdough bread", "Wedding cake, three tiers", "Delivery", "Baking course", "Coffee beans"];
const lineOf = (_: unknown, at: number) => ({
  ...{ identifier: at + 1, item_name: `${names[at % names.length]} ${at + 1}`, quantity: at + 1, unit_code: "C62" },
  ...{ item_net_price: 1_250, allowance_amount: at % 5 === 0 ? 100 : 0, vat_category_code: "S" as const },
  ...{ net_amount: 1_250 * (at + 1) - (at % 5 === 0 ? 100 : 0), vat_rate_bp: at % 2 === 0 ? 1_000 : 2_000 },
});
const linesOf = (count: number) => Array.from({ length: count }, lineOf) satisfies InvoiceLine[];

function sumsOf(count: number) {
  const lines = linesOf(count);
  const taxes = [1_000, 2_000].flatMap((rate) => {
    const own = lines.filter(({ vat_rate_bp }) => vat_rate_bp === rate);
    const taxable_amount = own.reduce((sum, { net_amount }) => sum + net_amount, 0);
    const category = { vat_rate_bp: rate, vat_category_code: "S" as const, vat_exemption_reason: null };
    return own.length === 0 ? [] : [{ ...category, taxable_amount, tax_amount: (taxable_amount * rate) / 10_000 }];
  }) satisfies InvoiceTax[];
  const [net, tax] = (["taxable_amount", "tax_amount"] as const).map((field) =>
    taxes.reduce((sum, one) => sum + Math.round(one[field]), 0),
  ) as [number, number];
  return { lines, taxes, net_amount: net, tax_amount: tax, gross_amount: net + tax };
}

const look = { brand_color: "#3b5bdb", logo_path: null, livemode: true, locales: [], timezone: "Europe/Vienna" };
const at = "2026-11-26T12:00:00.000Z";
const shared = {
  currency: "EUR",
  purchase_order_reference: "PO-7",
  seller,
  buyer,
  footer: "IBAN AT61 1904 3002 3457 3201",
};

const invoiceOf = (count: number): IssuedInvoice => ({
  record: {
    ...{ ...shared, ...sumsOf(count), number: "INV-2026-0001", issue_date: "2026-11-26", due_date: "2026-12-10" },
    ...{ installments: [], note: "Thank you for your order.", payment_terms: "14 days net" },
    ...{ period_start: "2026-10-01", period_end: "2026-10-31" },
  },
  ...{ has_pdf: true, issued_at: at, ...look },
});

const creditNoteOf = (count: number): IssuedCreditNote => ({
  record: {
    ...{ ...shared, ...sumsOf(count), number: "INV-CN-2026-0001", issue_date: "2026-11-26", cause: "refund" },
    preceding_invoice: { number: "INV-2026-0001", issue_date: "2026-11-20" },
  },
  ...{ credit_note_id: "", has_pdf: true, is_void: false, changed_at: at, ...look },
});

function receiptOf(count: number): Receipt {
  const { lines, taxes, net_amount, gross_amount } = sumsOf(count);
  return {
    ...{ ...look, account_name: "Bakery GmbH", account_email: "hello@bakery.example", type: "product" },
    ...{ description: "For the wedding", reference: "A-1042", customer: "Grace Hopper", currency: "EUR" },
    lines: lines.map((line) => ({
      ...{ name: line.item_name, quantity: line.quantity, unit: line.unit_code },
      ...{ unit_amount: line.item_net_price, net_amount: line.net_amount },
    })),
    subtotal: net_amount,
    taxes: taxes.map((tax) => ({
      ...{ rate_bp: tax.vat_rate_bp, net_amount: tax.taxable_amount, amount: Math.round(tax.tax_amount) },
    })),
    ...{ subscription: null, invoice_number: null, has_pdf: false, paid_at: at, amount: gross_amount, amount_due: 0 },
    ...{
      success_url: null,
      amount_paid: gross_amount,
      amount_refunded: 0,
      amount_charged_back: 0,
      refunds: [],
      is_covered: true,
      is_cut: false,
      whole_amount: null,
    },
    payments: [
      {
        ...{ transaction_id: "txn_01kacz7q4v8n2j5s6t3w9x0y1r", at, amount: gross_amount },
        ...{ card: { brand: "visa", last4: "4242" }, is_credit: false, offline: null },
      },
    ],
  };
}

const papers: Record<string, (count: number) => Paper> = {
  invoice: (count) => invoicePaper(invoiceOf(count), reader, null),
  "credit note": (count) => creditNotePaper(creditNoteOf(count), reader, null),
  receipt: (count) => receiptPaper(receiptOf(count), reader, null),
};

/** The CPU time of this process that `work` takes, in milliseconds: everything here is one thread's work. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

async function measure(make: (count: number) => Paper, count: number) {
  const [preparing, drawing]: [number[], number[]] = [[], []];
  let bytes = 0;
  for (let round = 0; round < rounds; round++) {
    let paper = make(count);
    preparing.push(
      await cpuOf(() => {
        paper = make(count);
      }),
    );
    drawing.push(
      await cpuOf(async () => {
        const drawn = await draw(paper);
        if ("missing" in drawn) throw new Error(`No glyph for ${drawn.missing}.`);
        bytes = drawn.bytes.length;
      }),
    );
  }
  return { bytes, preparing: sorted(preparing), drawing: sorted(drawing) };
}

const sorted = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b);
const median = (values: readonly number[]): string => (values[Math.floor(values.length / 2)] ?? 0).toFixed(1);
const most = (values: readonly number[]): string => (values.at(-1) ?? 0).toFixed(1);

/** A thread that loads what the product's thread for papers loads, then draws the papers that it is sent. */
const thread = `
  const { parentPort } = require("node:worker_threads");
  const draw = require(${JSON.stringify(fileURLToPath(new URL("../server/hosted/papers/paper-worker.cjs", import.meta.url)))});
  parentPort.on("message", async (paper) => parentPort.postMessage(await draw(paper)));
  parentPort.postMessage("ready");
`;

/** The CPU time of a new thread until it can draw, and of its first paper. */
async function measureThread(): Promise<[start: number, first: number]> {
  // Without the compiler that runs this file: in the product, the thread loads its own.
  const worker = new Worker(thread, { eval: true, execArgv: [] });
  const start = await cpuOf(() => once(worker, "message"));
  const paper = invoicePaper(invoiceOf(1), reader, null);
  const first = await cpuOf(() => {
    worker.postMessage(paper);
    return once(worker, "message");
  });
  await worker.terminate();
  return [start, first];
}

const threads: [start: number, first: number][] = [];
for (let round = 0; round < 10; round++) threads.push(await measureThread());
for (const [at, what] of ["The start of a thread", "The first paper of a thread"].entries()) {
  const own = sorted(threads.map((figures) => figures[at] ?? 0));
  console.log(`${what}: median ${median(own)} ms CPU, most ${most(own)}.`);
}
console.log();
console.log("| paper | lines | bytes | drawing: median ms CPU | most | event loop: median ms CPU |");
console.log("| --- | --- | --- | --- | --- | --- |");
for (const [name, make] of Object.entries(papers)) {
  for (const count of [1, 30, 100]) {
    const { bytes, preparing, drawing } = await measure(make, count);
    console.log(`| ${name} | ${count} | ${bytes} | ${median(drawing)} | ${most(drawing)} | ${median(preparing)} |`);
  }
}
