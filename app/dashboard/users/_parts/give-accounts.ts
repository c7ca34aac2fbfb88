// Gives all open accounts of a user to somebody else.
import type { useTRPCClient } from "@/app/_trpc/client";

interface Gift {
  fromId: string;
  toEmail: string;
  /** Begins the Idempotency-Key of each call. */
  key: string;
}

/**
 * Assigns another owner to one account after the other; repeating it continues where it was refused. An address that
 * nobody else in the organization has is refused as an unknown user.
 */
export async function giveAccounts(
  api: ReturnType<typeof useTRPCClient>,
  { fromId, toEmail, key }: Gift,
): Promise<void> {
  const found = await api.users.list.query({ email: toEmail, status: ["active"], limit: 1 });
  const heirId = found.data[0]?.user_id;
  const owner_user_id = heirId === undefined || heirId === fromId ? "" : heirId;
  for (;;) {
    const { accounts, has_more_accounts: hasMore } = await api.users.get.query({ user_id: fromId });
    const open = accounts.filter(({ status }) => status === "open");
    for (const { account_id } of open) {
      const idempotencyKey = `${key}-${account_id}`;
      await api.accounts.update.mutate({ account_id, owner_user_id }, { context: { idempotencyKey } });
    }
    if (!hasMore || open.length === 0) return;
  }
}
