// Short commands for tests: closing an account, removing a user, merging customers.
import { closeAccount } from "@/server/domains/closing/operations/close-account";
import { eraseCustomer } from "@/server/domains/closing/operations/erase-customer";
import { mergeCustomer } from "@/server/domains/closing/operations/merge-customer";
import { removeUser } from "@/server/domains/closing/operations/remove-user";
import type { Actor } from "@/server/kit/context";
import { callWith } from "./signing-in";
import type { World } from "./world";

export const closeAccountOf = (world: World, actor: Actor, account_id: string) =>
  world.call(closeAccount, actor, { account_id });

/** Closes an account in the dashboard. The cookie identifies the user and the time of the sign-in. */
export const closeAccountByCookie = (world: World, cookie: string | null, account_id: string) =>
  callWith(world, closeAccount, { cookie }, { account_id });

/** Removes a user, and keeps the API keys that the user made as an admin. */
export const removeAndKeepKeys = (world: World, actor: Actor, user_id: string) =>
  world.call(removeUser, actor, { user_id, revoke_api_keys: false });

export const removeUserOf = (world: World, actor: Actor, user_id: string) => world.call(removeUser, actor, { user_id });

export const eraseCustomerOf = (world: World, actor: Actor, customer_id: string) =>
  world.call(eraseCustomer, actor, { customer_id });

export const mergeCustomersOf = (world: World, actor: Actor, customer_id: string, into_customer_id: string) =>
  world.call(mergeCustomer, actor, { customer_id, into_customer_id });
