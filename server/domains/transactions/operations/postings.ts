// The journals and postings of a transaction.
import * as z from "zod";
import { sides } from "@/db/schema/values";
import { rules } from "@/server/access/rules";
import { searchedAccounts } from "@/server/domains/accounts/authorized-account";
import { type JournalLine, postedJournals } from "@/server/domains/ledger/journals";
import * as fields from "@/server/kit/fields";
import { operation } from "@/server/kit/operation";
import { iso } from "@/server/process/clock";
import { transactionId } from "../schema";
import { findTransaction } from "../store";

const line = z.strictObject({
  ledger_account: z.string().meta({ description: "Its name, such as `available` or `bank`." }),
  account_id: z.string().nullable().meta({ description: "Null if the ledger account is the organization's." }),
  side: z.enum(sides),
  amount: z.int(),
  balance_after: z.int().nullable().meta({ description: "Null if the caller may not see the balance." }),
});

const journal = z.strictObject({
  journal_id: z.string(),
  event: z.string(),
  created_at: fields.timestamp,
  currency: fields.currencyCode,
  lines: z.array(line),
});

export const transactionPostings = operation({
  id: "transactions.postings",
  summary: "List the ledger journals of a transaction",
  description:
    "Oldest journal first. A member sees only the balances of accounts that he or she owns. Only admins and API keys " +
    "of the organization see the balances of the organization's ledger accounts.",
  access: rules["transactions.read"],
  time: "organization",
  effect: "read",
  input: z.strictObject({ transaction_id: transactionId }),
  output: z.strictObject({ data: z.array(journal) }),
  errors: { transaction_not_found: 400 },
  async run({ ctx, input, fail }) {
    const { db, scope } = ctx;
    const seen = (await findTransaction(db, scope, input.transaction_id)) ?? fail("transaction_not_found");
    const own = await searchedAccounts(ctx, undefined);
    const isOwn = (accountId: string | null) => own === null || (accountId !== null && own.includes(accountId));
    const journals = await postedJournals(db, scope.organizationId, seen.row.id);
    return {
      data: journals.map(({ id, event, createdAt, currency, lines }) => ({
        journal_id: id,
        event,
        created_at: iso(createdAt),
        currency,
        lines: lines.map((posted) => presentLine(posted, isOwn(posted.accountId))),
      })),
    };
  },
});

const presentLine = ({ name, accountId, side, amount, balanceAfter }: JournalLine, isOwn: boolean) => ({
  ledger_account: name,
  account_id: accountId,
  side,
  amount,
  balance_after: isOwn ? balanceAfter : null,
});
