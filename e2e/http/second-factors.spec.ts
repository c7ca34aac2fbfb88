// Second factors on the API: the codes that a sign-in needs, and users who lack a factor that is required.
import { expect } from "playwright/test";
import type { Api, ApiError, TokenPair } from "../api";
import { test } from "../contract/described";
import { memberPassword, newEmail, newOrganization, succeeded } from "../contract/people";
import { expectRefusal } from "../contract/refusals";
import { dashboardOf, setUpApp, shownCode } from "../factors";

const login = (api: Api, email: string, otp?: string, password = memberPassword) =>
  api<TokenPair & ApiError>("POST", "/v1/auth/login", { body: { email, password, otp } });

test("a sign-in asks for a code after the correct password, and accepts each code once", async ({
  described: api,
  server,
}) => {
  const { email } = await newOrganization(server, api);
  const { key, recoveryCodes } = await setUpApp(await dashboardOf(server.url, email, memberPassword));
  const [recovery = ""] = recoveryCodes;
  // The step that confirmed the app is used up; the next one is within the allowed drift.
  const code = shownCode(key, 1);
  expectRefusal(await login(api, email, code, "not the password"), 400, "invalid_credentials");
  expectRefusal(await login(api, email), 400, "mfa_required");
  expectRefusal(await login(api, email, ""), 400, "mfa_required");
  expectRefusal(await login(api, email, "AAAA-AAAA-AAAA-AAAA"), 400, "invalid_otp");
  succeeded(await login(api, email, code));
  expectRefusal(await login(api, email, code), 400, "invalid_otp");
  succeeded(await login(api, email, recovery.toLowerCase()));
  expectRefusal(await login(api, email, recovery), 400, "invalid_otp");
});

test("a user who lacks a required factor can only sign out; API keys are not affected", async ({
  described: api,
  server,
}) => {
  const { email, token: adminToken } = await newOrganization(server, api);
  const dashboard = await dashboardOf(server.url, email, memberPassword);
  await setUpApp(dashboard);
  const user = { email: newEmail(), password: memberPassword, role: "viewer" };
  succeeded(await api("POST", "/v1/users", { token: adminToken, body: user }));
  const key = { name: "Till", scopes: ["payments:read"] };
  const { secret } = await dashboard("apiKeys.create", key);
  const { access_token: token } = succeeded(await login(api, user.email));
  succeeded(await api("GET", "/v1/payments", { token }));

  await dashboard("organizations.update", { require_mfa: "everyone" });
  for (const each of [token, succeeded(await login(api, user.email)).access_token]) {
    expectRefusal(await api<ApiError>("GET", "/v1/payments", { token: each }), 400, "mfa_enrollment_required");
    const unknown = { token: each, body: { odd: 1 } };
    expectRefusal(await api<ApiError>("POST", "/v1/payments", unknown), 400, "mfa_enrollment_required");
    const ended = await api<{ success: boolean }>("DELETE", "/v1/auth/session", { token: each });
    expect(succeeded(ended).success).toBe(true);
    expectRefusal(await api<ApiError>("GET", "/v1/payments", { token: each }), 401, "unauthorized");
  }
  succeeded(await api("GET", "/v1/payments", { token: adminToken }));
  succeeded(await api("GET", "/v1/payments", { token: String(secret) }));
});
