// The invoice as a page: what its file says, also in characters that the fonts of files lack.

import type { IssuedInvoice } from "@/server/domains/payments/invoices/issued";
import { invoiceFile } from "@/server/domains/payments/link";
import { type Html, html } from "@/server/kit/html";
import { type Document, frame } from "./frame";
import { invoicePaper } from "./papers/invoice-paper";
import type { Table } from "./papers/paper";
import { printButton, printScript } from "./print";
import type { Reader } from "./reader";
import { fact, headlineAmount } from "./summary";

/** The invoice of the payment request at `path`. */
export function invoiceDocument(invoice: IssuedInvoice, reader: Reader, path: string): Document {
  const { t, link } = reader;
  const paper = invoicePaper(invoice, reader, null, () => null);
  const { name, lines } = paper.sender;
  const { currency, gross_amount: gross } = invoice.record;
  return frame({
    title: paper.title,
    reader,
    brandColor: invoice.brand_color,
    isTest: !invoice.livemode,
    script: printScript,
    body: html`
      <div class="part"><p><b>${linesOf(name)}</b>${lines.map((line) => html`<br>${linesOf(line)}`)}</p>
      <h1>${paper.heading}</h1>
      ${headlineAmount(gross, currency, reader)}
      <p class="dim">${paper.state}</p>
      <dl class="facts">${paper.facts.map(({ term, value }) => row(term, value))}</dl></div>
      ${paper.tables.map(tablePart)}
      ${paper.notes.length > 0 && html`<div class="part">${paper.notes.map((note) => html`<p>${linesOf(note)}</p>`)}</div>`}
      <div class="part acts">${invoice.has_pdf && html`<a class="button outline" href="${link(`${path}/${invoiceFile}`)}">${t("receipt.pdf")}</a>`}
      <a class="button outline" href="${link(path)}">${t("receipt.toRequest")}</a>${printButton(t("receipt.print"))}</div>`,
  });
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
    ${sums.map(({ term, value, isTotal }) => fact(term, value, isTotal ? "sum" : ""))}</dl></div>`;
}
