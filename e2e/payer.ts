// A payer without a browser: opens a page and submits its form as the page does.

export const goodCard = { card_number: "4242424242424242", expiry: "12/34", security_code: "123" };

/** Opens the pay page at `url` and submits its form; resolves with the response and follows no redirect. */
export const payByForm = (url: string, typed: typeof goodCard = goodCard): Promise<Response> => sendForm(url, typed);

/** Opens the page at `url` and submits its form with these fields. Throws if the page shows no form. */
export const sendForm = async (url: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  submitForm(url, await formTokenOf(url), fields);

/** Opens the page at `url` and returns the token of its form. Throws if the page shows no form. */
export async function formTokenOf(url: string): Promise<string> {
  const page = await (await fetch(url)).text();
  const token = /name="form_token" value="([^"]+)"/.exec(page)?.[1];
  if (token === undefined) throw new Error(`The page at ${url} shows no form.`);
  return token;
}

/** Submits a form with the token of a page opened before and these fields; follows no redirect. */
export const submitForm = (url: string, token: string, fields: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: { "Sec-Fetch-Site": "same-origin" },
    body: new URLSearchParams({ form_token: token, ...fields }),
  });
