// A REST client for tests: one call returns the whole response.
import { firstAdmin } from "./server";

export type ApiRequest = {
  /** Sent as `Authorization: Bearer`. */
  token?: string;
  /** Sent as JSON; a string is sent as is. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
};

export type ApiReply<T> = { status: number; headers: Headers; body: T; text: string };

/** The body of an error response. */
export type ApiError = { error_code: string; error_description: string };

export type Api = <T = Record<string, unknown>>(
  method: string,
  path: string,
  request?: ApiRequest,
) => Promise<ApiReply<T>>;

export type TokenPair = {
  access_token: string;
  refresh_token: string;
  expires_at: string;
  refresh_token_expires_at: string;
  session_id: string;
};

/** A client of the server at `url`; the caller names the type of the expected body. */
export function createApi(url: string): Api {
  return async <T>(method: string, path: string, request: ApiRequest = {}) => {
    const { token, body, headers = {}, signal } = request;
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: {
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: parse<T>(text), text };
  };
}

/** Undefined unless the text is JSON; `text` always has the raw body. */
function parse<T>(text: string): T {
  try {
    return JSON.parse(text);
  } catch {
    return JSON.parse("null");
  }
}

/** Signs in; throws if the server refuses. */
export async function signIn(api: Api, email = firstAdmin.email, password = firstAdmin.password): Promise<TokenPair> {
  const reply = await api<TokenPair>("POST", "/v1/auth/login", { body: { email, password } });
  if (reply.status !== 200) throw new Error(`signing in as ${email} was refused: ${reply.text}`);
  return reply.body;
}
