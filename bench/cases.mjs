// The cases to measure: each case's request, for any of the servers.

const json = { "Content-Type": "application/json" };

const payment = JSON.stringify({
  type: "payment",
  amount: 1250,
  currency: "EUR",
  description: "Two coffees",
  metadata: { order: "B-1" },
});

const matching = "/v1/transactions?limit=20&status=succeeded&type=payment";

/** The targets find their figures by these names. */
export const cases = {
  "retrieve a transaction": read(({ transactionId }) => `/v1/transactions/${transactionId}`),
  "list 20 by status and type": read(() => matching),
  "the same with include_total": read(() => `${matching}&include_total=true`),
  "the same, last page": read(({ lastCursor }) => `${matching}&cursor=${lastCursor}`),
  "list 20 by a metadata key": read(() => "/v1/transactions?limit=20&metadata[order]=A-7"),
  "create a transaction": {
    withSingleCommits: true,
    request: ({ url, accessToken }) => ({
      kind: "keyed",
      url: `${url}/v1/transactions`,
      method: "POST",
      body: payment,
      headers: { ...json, Authorization: `Bearer ${accessToken}` },
    }),
  },
  "refresh with rotation": {
    request: ({ url, refreshTokens }, connections) => ({
      kind: "refresh",
      url: `${url}/v1/auth/refresh`,
      method: "POST",
      body: "{}",
      headers: json,
      tokens: refreshTokens.splice(0, connections),
    }),
  },
  login: { request: login },
  "the pay page": { request: ({ url, payPath }) => ({ kind: "plain", url: `${url}${payPath}`, method: "GET" }) },
};

function read(path) {
  return {
    request: ({ url, accessToken, ...ids }) => ({
      kind: "plain",
      url: `${url}${path(ids)}`,
      method: "GET",
      headers: { Authorization: `Bearer ${accessToken}` },
    }),
  };
}

/** One user for each connection. */
export function login({ url, emails, password }, connections) {
  const bodies = emails.slice(0, connections).map((email) => JSON.stringify({ email, password }));
  return { kind: "login", url: `${url}/v1/auth/login`, method: "POST", headers: json, bodies };
}
