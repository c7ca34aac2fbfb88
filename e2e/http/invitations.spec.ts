// Invitations over HTTP: made by an admin, and accepted once by the person who has the link.
import { expect } from "playwright/test";
import { type ApiError, signIn } from "../api";
import { test } from "../contract/described";
import { memberPassword, newEmail, succeeded, unique } from "../contract/people";
import { expectRecord, idOf, recordFields } from "../contract/records";

type Invitation = { invitation_id: string; email: string; url: string | null; status: string };

test("an invitation has every field, is accepted once, and can be revoked", async ({ described: api, adminToken }) => {
  const body = { email: newEmail(), role: "operator", name: "Grace" };
  const call = { token: adminToken, body, headers: { "Idempotency-Key": unique() } };
  const made = succeeded(await api<Invitation>("POST", "/v1/invitations", call));
  expectRecord(made, recordFields.invitation);
  expect(made).toMatchObject({ ...body, invitation_id: expect.stringMatching(idOf("inv")), status: "open" });
  const again = await api<Invitation>("POST", "/v1/invitations", call);
  expect([again.headers.get("idempotent-replayed"), succeeded(again)]).toEqual(["true", made]);

  const invite_token = made.url?.split("/").at(-1);
  const accept = () => api<ApiError>("POST", "/v1/users", { body: { invite_token, password: memberPassword } });
  const user = succeeded(await accept());
  expectRecord(user, recordFields.user);
  expect(user).toMatchObject({ ...body, account_id: null });
  expect((await accept()).body.error_code).toBe("invitation_used");
  await signIn(api, body.email, memberPassword);

  const other = { email: newEmail(), role: "member" };
  const { invitation_id } = succeeded(
    await api<Invitation>("POST", "/v1/invitations", { token: adminToken, body: other }),
  );
  const revoked = await api<Invitation>("DELETE", `/v1/invitations/${invitation_id}`, { token: adminToken });
  expect(succeeded(revoked)).toMatchObject({ invitation_id, status: "revoked", url: null });
  const listed = await api<{ data: Invitation[] }>("GET", "/v1/invitations?limit=2", { token: adminToken });
  expect(succeeded(listed).data.map(({ status, url }) => [status, url])).toEqual([
    ["revoked", null],
    ["accepted", null],
  ]);
});
