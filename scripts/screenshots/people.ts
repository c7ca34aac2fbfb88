// Colleagues, invitations, API keys and mails for the screenshots of the pages where admins manage them.
import { createApi, signIn } from "../../e2e/api";

/** Where to take screenshots: ids of users and mails, and the path of an invitation's page. */
export interface People {
  colleague: string;
  leaver: string;
  mail: string;
  invitation: string;
}

const password = "a long and odd sentence";

export async function seedPeople(url: string, payment: string): Promise<People> {
  const api = createApi(url);
  const { access_token: token } = await signIn(api);
  const call = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const reply = await api<T>(method, path, { token, ...(body ? { body } : {}) });
    if (reply.status !== 200) throw new Error(`${method} ${path} was refused: ${reply.text}`);
    return reply.body;
  };
  const hire = async (name: string, email: string, role: string) => {
    const { user_id } = await call<{ user_id: string }>("POST", "/v1/users", { name, email, role, password });
    await signIn(api, email, password);
    return user_id;
  };
  const colleague = await hire("Dorothy Vaughan", "dorothy@example.com", "operator");
  await hire("Mary Jackson", "mary@example.com", "viewer");
  const leaver = await hire("Katherine Johnson", "katherine@example.com", "member");
  const invite = (email: string, role: string) =>
    call<{ invitation_id: string; url: string }>("POST", "/v1/invitations", { email, role });
  const gone = await invite("annie@example.com", "member");
  await call("DELETE", `/v1/invitations/${gone.invitation_id}`);
  const open = await invite("margaret@example.com", "viewer");
  await call("POST", "/v1/api_keys", {
    name: "Web shop",
    scopes: ["payments:read", "payments:write", "transactions:read"],
    ip_allow: ["203.0.113.0/24"],
  });
  const till = await call<{ api_key_id: string }>("POST", "/v1/api_keys", { name: "Till", scopes: ["payments:read"] });
  await call("POST", `/v1/api_keys/${till.api_key_id}/rotate`, { overlap_hours: 24 });
  const old = await call<{ api_key_id: string }>("POST", "/v1/api_keys", {
    name: "Bookkeeping until last year",
    scopes: ["transactions:read", "audit:read"],
  });
  await call("DELETE", `/v1/api_keys/${old.api_key_id}`);
  await call("POST", `/v1/payments/${payment}/send`, { message: "Thank you for your order." });
  const { data } = await call<{ data: { mail_id: string }[] }>("GET", "/v1/mails?kind=payment_request&limit=1");
  return { colleague, leaver, mail: data[0]?.mail_id ?? "", invitation: new URL(open.url).pathname };
}
