// What an admin makes happen at the sandbox provider.
import type { SimulatedEvent } from "@/server/domains/providers/sandbox-events";
import { simulateEvent } from "@/server/domains/sandbox/operations/simulate";
import type { TestOrganization, World } from "./world";

/** Brings an event of a payment request about. */
export const simulate = (
  world: World,
  { admin }: Pick<TestOrganization, "admin">,
  payment_id: string,
  event: SimulatedEvent,
) => world.call(simulateEvent, admin.actor, { payment_id, event });
