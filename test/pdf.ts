// PDF files in responses, and what their first page says.
import { getDocumentProxy } from "unpdf";
import { expect } from "vitest";

/** The file that the response contains. */
export async function pdfIn(response: Response): Promise<Uint8Array> {
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("application/pdf");
  return new Uint8Array(await response.arrayBuffer());
}

/** The text of the first page, with plain spaces. */
export async function textOfPdf(file: Uint8Array): Promise<string> {
  const page = await (await getDocumentProxy(file.slice())).getPage(1);
  const { items } = await page.getTextContent();
  const text = items.map((item) => ("str" in item ? item.str : "")).join(" ");
  return text.replaceAll(/[\u00a0\u202f\s]+/g, " ");
}
