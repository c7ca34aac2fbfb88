// API keys and the audit log, by openapi-fetch.
import { absent, answered, equal, nextOf, refused, replayed, type Start, unique } from "../walk";
import { type Client, clientOf } from "./people";

export async function walkApiKeys(start: Start, admin: Client): Promise<void> {
  const create = (header: { "Idempotency-Key"?: string } = {}) =>
    admin.POST("/v1/api_keys", {
      body: { name: "Till", scopes: ["transactions:read", "payments:read"], ip_allow: ["127.0.0.0/8", "::1"] },
      params: { header },
    });
  const key = { "Idempotency-Key": unique("key") };
  const created = answered(await create(key));
  const again = await create(key);
  replayed(again.response);
  equal([answered(again).api_key_id, answered(again).secret], [created.api_key_id, null]);
  const program = clientOf(start, created.secret ?? "");
  answered(await program.GET("/v1/transactions"));
  refused(await program.GET("/v1/users"), 400, "insufficient_permissions");
  refused(await program.GET("/v1/api_keys"), 400, "insufficient_permissions");
  const wider = { name: "Till", scopes: ["payments:write" as const] };
  refused(await program.POST("/v1/api_keys", { body: wider }), 400, "insufficient_permissions");

  answered(await create());
  const query = { limit: 1, include_total: true, total_max: 5 };
  const first = answered(await admin.GET("/v1/api_keys", { params: { query } }));
  const second = await admin.GET("/v1/api_keys", { params: { query: { ...query, cursor: nextOf(first) } } });
  equal(
    answered(second).data.map(({ api_key_id, secret }) => [api_key_id, secret]),
    [[created.api_key_id, null]],
  );

  const path = { api_key_id: created.api_key_id };
  const rotate = (given: typeof path) =>
    admin.POST("/v1/api_keys/{api_key_id}/rotate", { params: { path: given }, body: { overlap_hours: 0 } });
  const rotated = answered(await rotate(path));
  refused(await program.GET("/v1/transactions"), 401, "unauthorized");
  answered(await clientOf(start, rotated.secret ?? "").GET("/v1/transactions"));
  refused(await rotate({ api_key_id: absent("key") }), 400, "api_key_not_found");
  const revoke = () => admin.DELETE("/v1/api_keys/{api_key_id}", { params: { path } });
  equal(typeof answered(await revoke()).revoked_at, "string");
  refused(await revoke(), 400, "api_key_not_found");
}

export async function walkAuditLog(admin: Client): Promise<void> {
  const query = { action: "api_keys.create", limit: 1, include_total: true, total_max: 5 };
  const first = answered(await admin.GET("/v1/audit_entries", { params: { query } }));
  const [entry] = first.data;
  equal([entry?.action, entry?.actor.type, first.total_count !== null], ["api_keys.create", "user", true]);
  const cursor = nextOf(first);
  const second = await admin.GET("/v1/audit_entries", { params: { query: { ...query, cursor } } });
  equal(answered(second).data.length, 1);
  const other = { limit: 1, cursor };
  refused(await admin.GET("/v1/audit_entries", { params: { query: other } }), 400, "invalid_cursor");
  const filters = { actor_id: entry?.actor.id ?? "", target_id: entry?.target_id ?? "", q: "api_keys" };
  const days = { created_from: "2020-01-01", created_to: "2099-12-31T23:59:59+01:00" };
  const one = { ...query, ...filters, ...days };
  const found = answered(await admin.GET("/v1/audit_entries", { params: { query: one } }));
  equal([found.total_count, found.data], [1, [entry]]);
}
