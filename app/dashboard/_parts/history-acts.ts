// The events of a history, folded into acts: a refund that started, succeeded and changed its payment request is one.
interface HistoryEvent {
  event_id: string;
  type: string;
  object_id: string;
  /** ISO 8601. */
  created_at: string;
  actor: { type: string; name: string | null } | null;
}

interface Act<Event> {
  /** The event that says what came of it. */
  head: Event;
  /** What else happened, newest first. */
  more: Event[];
}

/** Events this far apart may belong to one act: between them, the provider was called. */
const actMs = 10_000;

/** Steps on the way to an outcome. An act that has the outcome leaves them out. */
const steps = /\.(created|processing|requires_action)$/;
/** What begins a record or changes its data is an act of its own. */
const alone = /^(payment|account)\.(created|updated)$|^(account|customer|subscription)\./;

/** What ends an act: a later attempt is another one. */
const last = "payment.attempt_failed";

/** Folds the events of the object `id`, newest first, into acts, newest first. */
export function actsOf<Event extends HistoryEvent>(events: readonly Event[], id: string): Act<Event>[] {
  const groups: Event[][] = [];
  for (const event of events) {
    const group = groups.at(-1);
    if (group && belongsTo(group, event, id)) group.push(event);
    else groups.push([event]);
  }
  return groups.map((group) => actOf(group, id));
}

function belongsTo(group: readonly HistoryEvent[], event: HistoryEvent, id: string): boolean {
  const newer = group.at(-1);
  if (!newer || alone.test(newer.type) || alone.test(event.type) || event.type === last) return false;
  const isSameActor = newer.actor?.type === event.actor?.type && newer.actor?.name === event.actor?.name;
  const transactions = new Set([...group, event].map(({ object_id }) => object_id).filter((other) => other !== id));
  const apartMs = Date.parse(newer.created_at) - Date.parse(event.created_at);
  return isSameActor && transactions.size <= 1 && apartMs <= actMs;
}

/** An event of the object itself says most, except that of a credit note; without one, the newest does. */
function actOf<Event extends HistoryEvent>(group: readonly Event[], id: string): Act<Event> {
  const outcomes = group.filter(
    ({ type, object_id }, index) =>
      !(steps.test(type) && group.slice(0, index).some((newer) => newer.object_id === object_id)),
  );
  const head =
    outcomes.find(({ object_id, type }) => object_id === id && type !== "credit_note.created") ??
    (outcomes[0] as Event);
  return { head, more: outcomes.filter((event) => event !== head) };
}
