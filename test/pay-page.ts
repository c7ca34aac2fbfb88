// A browser's view of hosted pages in tests: calls the exported handlers as a browser would.
import { GET as showCreditNote } from "@/app/pay/[token]/credit-notes/[file]/route";
import { GET as showInvoicePage } from "@/app/pay/[token]/invoice/route";
import { GET as showInvoice } from "@/app/pay/[token]/invoice.pdf/route";
import { GET as showReceipt } from "@/app/pay/[token]/receipt/route";
import { GET, POST } from "@/app/pay/[token]/route";
import { ask, goodCard, type RequestFields } from "./payer";
import { openWorld, serve } from "./world";

export const appUrl = "https://pay.example.com";

/** The headers that a browser sends with the page's form. */
export const browser = { "sec-fetch-site": "same-origin", origin: "null" };

export type PayPages = Awaited<ReturnType<typeof openPayPages>>;

/** Opens a world whose pay pages can be requested. This process's handlers use it until another is opened. */
export async function openPayPages(settings: Record<string, string> = {}) {
  const world = await openWorld({ PAY_FAILURES_PER_IP: "10000", APP_URL: appUrl, ...settings });
  serve(world);
  const acme = await world.organization();
  const address = (token: string, rest = "") => `${appUrl}/pay/${token}${rest}`;

  const get = (token: string, query = "", headers: Record<string, string> = {}): Promise<Response> =>
    GET(new Request(address(token, query), { headers }));

  const pages = {
    world,
    acme,
    newRequest: (more: RequestFields = {}) => ask(world, acme.member.actor, more),
    get,
    receipt: (token: string, query = ""): Promise<Response> =>
      showReceipt(new Request(address(token, `/receipt${query}`))),
    invoice: (token: string, query = ""): Promise<Response> =>
      showInvoice(new Request(address(token, `/invoice.pdf${query}`))),
    invoicePage: (token: string, query = ""): Promise<Response> =>
      showInvoicePage(new Request(address(token, `/invoice${query}`))),
    /** A credit note: its page, or with `.pdf` its file. */
    creditNote: (token: string, file: string, query = ""): Promise<Response> =>
      showCreditNote(new Request(address(token, `/credit-notes/${file}${query}`))),
    post(
      token: string,
      fields: Record<string, string> | string,
      headers: Record<string, string> = browser,
      query = "",
    ): Promise<Response> {
      const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
      const type = { "content-type": "application/x-www-form-urlencoded" };
      const init = { method: "POST", body, headers: { ...type, ...headers } };
      return POST(new Request(address(token, query), init));
    },
    /** The token in a page's form. */
    formOf: async (token: string, query = ""): Promise<string> => formTokenIn(await (await get(token, query)).text()),
    /** Presses "Pay another way" on the page of a payment that waits for confirmation. */
    leave: async (token: string, headers?: Record<string, string>, query = ""): Promise<Response> =>
      pages.post(token, { act: "leave", form_token: await pages.formOf(token) }, headers, query),
    /** Presses "Ask for a new link" on the page of an expired payment request. */
    ask: async (token: string, headers?: Record<string, string>): Promise<Response> =>
      pages.post(token, { act: "ask", form_token: await pages.formOf(token) }, headers),
    /** Sends what the page's script sends once the page is visible. */
    see: async (token: string, headers?: Record<string, string>): Promise<Response> =>
      pages.post(token, { act: "view", form_token: await pages.formOf(token) }, headers),
    /** Opens the page, fills in its form and sends it. */
    pay: async (token: string, typed: Record<string, string> = goodCard, query = ""): Promise<Response> =>
      pages.post(token, { form_token: await pages.formOf(token), ...typed }, browser, query),
    /** Reads the page's state. */
    async read(token: string, query = "") {
      const response = await get(token, query);
      const text = await response.text();
      return { status: response.status, heading: headingOf(text), title: titleOf(text), text };
    },
  };
  return pages;
}

export const formTokenIn = (text: string): string => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? "";

export const headingOf = (text: string): string => /<h1>([^<]*)<\/h1>/.exec(text)?.[1] ?? "";
export const titleOf = (text: string): string => /<title>([^<]*)<\/title>/.exec(text)?.[1] ?? "";
