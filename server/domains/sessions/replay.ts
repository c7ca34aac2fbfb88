// Replays an exchange that is repeated with its Idempotency-Key: the same token pair, derived again, never stored.
import type { WriteContext } from "@/server/kit/context";
import { Failure } from "@/server/kit/errors";
import { type Exchanged, type ExchangeRequest, textOf } from "./exchange";
import { type Credential, findExchange, findRefreshToken, type TokenRow } from "./token-store";
import { sealsOf, tokenOf } from "./tokens";

/**
 * The result of the earlier exchange with the same key and token. Undefined if there was none, if it was too long ago,
 * or if one of the tokens it issued has been used, because then its response was not lost. Refuses a key that was used
 * for another request, unless the token is spent: then the spent token decides.
 */
export async function replay(
  ctx: WriteContext,
  locked: Credential,
  request: ExchangeRequest,
): Promise<Exchanged | undefined> {
  const { runtime, request: call } = ctx;
  const { session, token } = locked;
  if (call.idempotencyKey === null) return undefined;
  const seals = sealsOf(runtime.keys, "key", session.id, call.idempotencyKey);
  const access = await findExchange(ctx.db, session.id, seals);
  if (!access) return undefined;
  if (token.generation !== generationBefore(access)) {
    if (token.spentAt !== null) return undefined;
    throw new Failure("idempotency_key_reused", 400);
  }
  const successor = access.exchangeRotated ? await findRefreshToken(ctx.db, session.id, access.generation) : undefined;
  const isUnused = access.replayUntil !== null && (successor?.spentAt ?? null) === null;
  if (!isUnused || ctx.now >= (access.replayUntil ?? 0)) return undefined;
  if (!sealsOf(runtime.keys, "request", session.id, textOf(request)).includes(access.exchangeRequest ?? "")) {
    throw new Failure("idempotency_key_reused", 400);
  }
  const again = deriveAgain(ctx, locked, access, successor, request);
  if (again) call.answerHeaders["Idempotent-Replayed"] = "true";
  return again;
}

/** The generation of the refresh token that was exchanged. */
const generationBefore = (access: TokenRow): number => access.generation - (access.exchangeRotated ? 1 : 0);

function deriveAgain(
  { runtime }: WriteContext,
  { session }: Credential,
  access: TokenRow,
  refresh: TokenRow | undefined,
  request: ExchangeRequest,
): Exchanged | undefined {
  const accessToken = tokenOf(runtime.keys, session, access);
  if (accessToken === null) return undefined;
  const given = { accessToken, accessExpiresAt: access.expiresAt };
  if (!access.exchangeRotated) return { ...given, refreshToken: request.token, refreshExpiresAt: null };
  const refreshToken = refresh ? tokenOf(runtime.keys, session, refresh) : null;
  if (!refresh || refreshToken === null) return undefined;
  return { ...given, refreshToken, refreshExpiresAt: refresh.expiresAt };
}
