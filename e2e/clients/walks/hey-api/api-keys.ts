// API keys and the audit log, by the client of @hey-api/openapi-ts.
import {
  apiKeysCreate,
  apiKeysList,
  apiKeysRevoke,
  apiKeysRotate,
  auditEntriesList,
  transactionsList,
  usersList,
} from "../../generated/hey-api";
import type { Client } from "../../generated/hey-api/client";
import { absent, answered, equal, nextOf, refused, replayed, type Start, unique } from "../walk";
import { clientOf } from "./people";

export async function walkApiKeys(start: Start, admin: Client): Promise<void> {
  const create = (headers: { "Idempotency-Key"?: string } = {}) =>
    apiKeysCreate({
      client: admin,
      body: { name: "Till", scopes: ["transactions:read", "payments:read"], ip_allow: ["127.0.0.0/8", "::1"] },
      headers,
    });
  const key = { "Idempotency-Key": unique("key") };
  const created = answered(await create(key));
  const again = await create(key);
  replayed(again.response);
  equal([answered(again).api_key_id, answered(again).secret], [created.api_key_id, null]);
  const program = clientOf(start, created.secret ?? "");
  answered(await transactionsList({ client: program }));
  refused(await usersList({ client: program }), 400, "insufficient_permissions");
  refused(await apiKeysList({ client: program }), 400, "insufficient_permissions");
  const wider = { name: "Till", scopes: ["payments:write" as const] };
  refused(await apiKeysCreate({ client: program, body: wider }), 400, "insufficient_permissions");

  answered(await create());
  const query = { limit: 1, include_total: true, total_max: 5 };
  const first = answered(await apiKeysList({ client: admin, query }));
  const second = answered(await apiKeysList({ client: admin, query: { ...query, cursor: nextOf(first) } }));
  equal(
    second.data.map(({ api_key_id, secret }) => [api_key_id, secret]),
    [[created.api_key_id, null]],
  );

  const path = { api_key_id: created.api_key_id };
  const rotate = (given: typeof path) => apiKeysRotate({ client: admin, path: given, body: { overlap_hours: 0 } });
  const rotated = answered(await rotate(path));
  refused(await transactionsList({ client: program }), 401, "unauthorized");
  answered(await transactionsList({ client: clientOf(start, rotated.secret ?? "") }));
  refused(await rotate({ api_key_id: absent("key") }), 400, "api_key_not_found");
  const revoke = () => apiKeysRevoke({ client: admin, path });
  equal(typeof answered(await revoke()).revoked_at, "string");
  refused(await revoke(), 400, "api_key_not_found");
}

export async function walkAuditLog(admin: Client): Promise<void> {
  const query = { action: "api_keys.create", limit: 1, include_total: true, total_max: 5 };
  const first = answered(await auditEntriesList({ client: admin, query }));
  const [entry] = first.data;
  equal([entry?.action, entry?.actor.type, first.total_count !== null], ["api_keys.create", "user", true]);
  const cursor = nextOf(first);
  equal(answered(await auditEntriesList({ client: admin, query: { ...query, cursor } })).data.length, 1);
  refused(await auditEntriesList({ client: admin, query: { limit: 1, cursor } }), 400, "invalid_cursor");
  const filters = { actor_id: entry?.actor.id ?? "", target_id: entry?.target_id ?? "", q: "api_keys" };
  const days = { created_from: "2020-01-01", created_to: "2099-12-31T23:59:59+01:00" };
  const found = answered(await auditEntriesList({ client: admin, query: { ...query, ...filters, ...days } }));
  equal([found.total_count, found.data], [1, [entry]]);
}
