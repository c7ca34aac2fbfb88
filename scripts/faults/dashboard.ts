// The dashboard as a browser uses it, as far as the faults need it: signing in, and opening a page.
import { firstAdmin, type TestServer } from "@/e2e/server";

/** Signs the admin in. Returns the text of the answer and the cookies for later requests, as one header. */
export async function signInByPage({ url }: TestServer): Promise<{ text: string; cookie: string }> {
  const response = await fetch(`${url}/api/trpc/sessions.signIn`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: url, "Sec-Fetch-Site": "same-origin" },
    body: JSON.stringify(firstAdmin),
  });
  const cookie = response.headers
    .getSetCookie()
    .map((each) => each.split(";")[0])
    .join("; ");
  if (cookie === "") throw new Error(`Signing in to the dashboard failed: ${response.status}`);
  return { text: await response.text(), cookie };
}

/** The status of a page of the dashboard: 200 for a session that is alive, else a redirect to the sign-in. */
export async function openDashboard({ url }: TestServer, cookie: string): Promise<number> {
  const response = await fetch(`${url}/dashboard`, { redirect: "manual", headers: { Cookie: cookie } });
  await response.text();
  return response.status;
}
