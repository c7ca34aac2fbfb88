// Erases what responses stored with Idempotency-Keys say about customers who have been erased. A repeated request then
// gets its response with the customer as it is now.
import { erasedSnapshot } from "@/db/schema/values";
import { type Erased, erasedAmong } from "@/server/domains/closing/erased-records";
import { eraseAnswers } from "@/server/domains/closing/stored-answers";
import { limits } from "@/server/kit/limits";
import type { Runtime } from "@/server/process/runtime";
import { findAnswers, replaceBody } from "./idempotency-store";

/** A JSON object of a response. */
type Node = Record<string, unknown>;

/** Erases one batch; see `EraseAnswers`. Reads outside a transaction, so that a long table holds up nobody. */
async function eraseFromAnswers(runtime: Runtime, organizationId: string, after: string) {
  const { db } = runtime;
  const { answers, last } = await findAnswers(db.read, { organizationId, after, limit: limits.batch.erase.answers });
  const parsed = answers.map(({ id, body }) => ({ id, body, content: JSON.parse(body) as unknown }));
  const nodes = parsed.flatMap(({ content }) => nodesIn(content));
  if (nodes.length > 0) {
    const erased = await erasedAmong(db.read, {
      customers: nodes.flatMap((node) => [customerOf(node) ?? [], addresseeOf(node) ?? []].flat()),
      payments: nodes.flatMap((node) => (isTransaction(node) ? [] : (recordOf(node) ?? []))),
      transactions: nodes.flatMap((node) => (isTransaction(node) ? (recordOf(node) ?? []) : [])),
    });
    const changed = parsed
      .map(({ id, body, content }) => ({ id, body, now: JSON.stringify(without(content, erased)) }))
      .filter(({ body, now }) => body !== now);
    if (changed.length > 0) {
      await db.write(async (tx) => {
        for (const { id, now } of changed) await replaceBody(tx, id, now);
      });
    }
  }
  return last;
}

/** All objects in a response, at any depth. */
function nodesIn(content: unknown): Node[] {
  if (Array.isArray(content)) return content.flatMap(nodesIn);
  if (!isNode(content)) return [];
  return [content, ...Object.values(content).flatMap(nodesIn)];
}

const isNode = (content: unknown): content is Node => typeof content === "object" && content !== null;

/** The id of the customer whose record this is. */
const customerOf = (node: Node): string | null =>
  typeof node.customer_id === "string" && "tax_id" in node ? node.customer_id : null;

const isTransaction = (node: Node): boolean => "transaction_id" in node;

/** The id of the payment request or transaction that has a snapshot here. */
function recordOf(node: Node): string | null {
  if (!isNode(node.customer)) return null;
  const id = isTransaction(node) ? node.transaction_id : node.payment_id;
  return typeof id === "string" ? id : null;
}

/** The id of the customer whose snapshot a payment request has here. It may be addressed to another one by now. */
const addresseeOf = ({ customer }: Node): string | null =>
  isNode(customer) && typeof customer.customer_id === "string" ? customer.customer_id : null;

/** What replaces the snapshot here; undefined if nothing does. */
function snapshotOf(node: Node, erased: Erased): object | undefined {
  const current = erased.snapshots.get(recordOf(node) ?? "");
  const customer_id = addresseeOf(node);
  const isErased = customer_id !== null && erased.customers.has(customer_id);
  return current ?? (isErased ? { ...(node.customer as Node), ...erasedSnapshot } : undefined);
}

/** The response, in which erased customers and snapshots are as they are now. */
function without(content: unknown, erased: Erased): unknown {
  if (Array.isArray(content)) return content.map((item) => without(item, erased));
  if (!isNode(content)) return content;
  const record = erased.customers.get(customerOf(content) ?? "");
  const snapshot = snapshotOf(content, erased);
  const inner = Object.entries(content).map(([name, value]) => [name, without(value, erased)]);
  return { ...Object.fromEntries(inner), ...record, ...(snapshot && { customer: snapshot }) };
}

eraseAnswers.supply(eraseFromAnswers);
