// Invitations, by the client of @hey-api/openapi-ts.
import { invitationsCreate, invitationsList, invitationsRevoke, usersCreate } from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, newEmail, nextOf, password, refused, replayed, type Start, unique } from "../walk";
import { clientOf } from "./people";

export async function walkInvitations(start: Start, admin: Client): Promise<void> {
  const body = { email: newEmail(), role: "member" as const, name: "Grace", locale: "de" };
  const header = { "Idempotency-Key": unique("invitation") };
  const create = () => invitationsCreate({ client: admin, body, headers: header });
  const made = answered(await create());
  const again = await create();
  replayed(again.response);
  equal([answered(again).invitation_id, answered(again).url], [made.invitation_id, made.url]);
  const other = { email: newEmail(), role: "viewer" as const };
  const second = answered(await invitationsCreate({ client: admin, body: other }));

  const query = { status: ["open" as const], limit: 1, include_total: true, total_max: 5 };
  const first = answered(await invitationsList({ client: admin, query }));
  const rest = await invitationsList({ client: admin, query: { ...query, cursor: nextOf(first) } });
  equal([first.data[0]?.invitation_id, answered(rest).data[0]?.url], [second.invitation_id, null]);

  const invite_token = made.url?.split("/").at(-1) ?? "";
  const accept = () => usersCreate({ client: clientOf(start), body: { invite_token, password } });
  const joined = answered(await accept());
  equal([joined.email, joined.name, joined.locale, joined.email_verified_at], [body.email, "Grace", "de", null]);
  await start.verify(body.email);
  refused(await accept(), 400, "invitation_used");
  refused(await invitationsCreate({ client: admin, body }), 400, "email_taken");
  refused(await invitationsList({ client: admin, query: { cursor: "none" } }), 400, "invalid_cursor");

  const path = { invitation_id: second.invitation_id };
  const revoke = (given: typeof path) => invitationsRevoke({ client: admin, path: given });
  equal(answered(await revoke(path)).status, "revoked");
  refused(await revoke({ invitation_id: absent("inv") }), 400, "invitation_not_found");
}
