// SQL sums of matching payment requests.
import { sql } from "drizzle-orm";
import { payments } from "@/db/tables";
import { isDue } from "./conditions-store";

/** What was requested with the matches together, in minor units. */
export const amountTotal = sql`cast(coalesce(sum(${payments.amount}), 0) as bigint)`.mapWith(Number);

/** What is due of the matches together, in minor units. */
export const dueTotal =
  sql`cast(sum(case when ${isDue} then ${payments.amount} + ${payments.amountReopened} - ${payments.amountPaid} - ${payments.amountWaived} else 0 end) as bigint)`.mapWith(
    Number,
  );
