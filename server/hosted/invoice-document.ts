// The invoice and the credit note as pages: what their files say, also in characters that the fonts of files lack.

import { creditNoteFile } from "@/server/domains/payments/invoices/credit-note-out";
import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import type { IssuedCreditNote } from "@/server/domains/payments/invoices/issued-credit-note";
import { invoiceFile } from "@/server/domains/payments/link";
import { type Html, html } from "@/server/kit/html";
import { type Document, frame } from "./frame";
import { creditNotePaper } from "./papers/credit-note-paper";
import { invoicePaper } from "./papers/invoice-paper";
import type { Paper, Table } from "./papers/paper";
import { printButton, printScript } from "./print";
import type { Reader } from "./reader";
import { fact, headlineAmount } from "./summary";

/** The invoice of the payment request at `path`. */
export const invoiceDocument = (invoice: IssuedInvoice, reader: Reader, path: string): Document =>
  paperDocument(
    invoicePaper(invoice, reader, null, () => null),
    invoice,
    reader,
    actsOf(invoice, reader, { path, file: invoiceFile }),
  );

/** An invoice that is being written, as a picture of itself: it says that it is a draft. */
export function invoicePreview(invoice: IssuedInvoice, reader: Reader): Document {
  const heading = reader.t("invoice.draft");
  const paper = { ...invoicePaper(invoice, reader, null, () => null), title: heading, heading };
  return paperDocument(paper, invoice, reader, null, reader.t("invoice.draftMeaning"));
}

/** A credit note of the payment request at `path`. */
export const creditNoteDocument = (note: IssuedCreditNote, reader: Reader, path: string): Document =>
  paperDocument(
    creditNotePaper(note, reader, null, () => null),
    note,
    reader,
    actsOf(note, reader, { path, file: creditNoteFile(note.credit_note_id) }),
  );

function paperDocument(
  paper: Paper,
  issued: IssuedInvoice | IssuedCreditNote,
  reader: Reader,
  acts: Html | null,
  meaning: string | null = null,
): Document {
  const { name, lines } = paper.sender;
  const { currency, gross_amount: gross } = issued.record;
  return frame({
    title: paper.title,
    reader,
    brandColor: issued.brand_color,
    isTest: !issued.livemode,
    script: acts && printScript,
    body: html`
      <div class="part"><p><b>${linesOf(name)}</b>${lines.map((line) => html`<br>${linesOf(line)}`)}</p>
      <h1>${paper.heading}</h1>${meaning && html`<p class="dim">${meaning}</p>`}
      ${headlineAmount(gross, currency, reader)}
      ${paper.voided && html`<p><b>${paper.voided}</b></p>`}<p class="dim">${paper.state}</p>
      <dl class="facts">${paper.facts.map(({ term, value }) => row(term, value))}</dl></div>
      ${paper.tables.map(tablePart)}
      ${paper.notes.length > 0 && html`<div class="part">${paper.notes.map((note) => html`<p>${linesOf(note)}</p>`)}</div>`}
      ${acts && html`<div class="part acts">${acts}</div>`}`,
  });
}

/** What can be done with a paper below the pay link at `path`. */
function actsOf(
  { has_pdf: hasFile }: { has_pdf: boolean },
  { t, link }: Reader,
  at: { path: string; file: string },
): Html {
  return html`${hasFile && html`<a class="button outline" href="${link(`${at.path}/${at.file}`)}">${t("receipt.pdf")}</a>`}
      <a class="button outline" href="${link(at.path)}">${t("receipt.toRequest")}</a>${printButton(t("receipt.print"))}`;
}

/** The lines of a text, each in the direction of its own letters. */
const linesOf = (text: string): Html[] =>
  text.split("\n").map((line, at) => html`${at > 0 && html`<br>`}<bdi>${line}</bdi>`);

const row = (term: string, value: string): Html =>
  html`<div class="words"><dt>${term}</dt><dd>${linesOf(value)}</dd></div>`;

/** A table as a list of its first and last columns; those between are named below the first. */
function tablePart({ title, columns, rows, sums }: Table): Html {
  const between = columns.slice(1, -1);
  const termOf = (cells: readonly string[]) =>
    html`${linesOf(cells[0] ?? "")}${between.map(
      (column, at) => html`<span>${column.title}: ${cells[at + 1] ?? ""}</span>`,
    )}`;
  return html`<div class="part"><h2>${title}</h2>
    <dl class="facts">${rows.map((cells) => fact(termOf(cells), cells.at(-1) ?? "", "item"))}
    ${sums.map(({ term, value, isTotal }) => fact(html`${linesOf(term)}`, value, isTotal ? "sum" : ""))}</dl></div>`;
}
