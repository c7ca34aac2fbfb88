// The amounts above which refunds and transfers from the dashboard need step-up: the organization's, or the server's.
import type { StepUpAmount } from "@/db/schema/values";
import type { Env } from "@/server/process/env";
import type { OrganizationRow } from "./store";

type Chosen = Pick<OrganizationRow, "stepUpAmounts">;
type Defaults = Pick<Env, "stepUpAmounts">;

/** The amounts in force, by currency. */
export const stepUpAmountsOf = ({ stepUpAmounts }: Chosen, env: Defaults): StepUpAmount[] =>
  stepUpAmounts ?? [...env.stepUpAmounts].map(([currency, amount]) => ({ currency, amount }));

/** The amount in force for a currency, in minor units; 0 if it has none, so that every amount needs step-up. */
export const stepUpAmountOf = (organization: Chosen, env: Defaults, currency: string): number =>
  stepUpAmountsOf(organization, env).find((entry) => entry.currency === currency)?.amount ?? 0;
