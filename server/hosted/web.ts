// Hosted pages for hosts that speak the platform's Request and Response, such as Next's route handlers.
import { handlerOf } from "@/server/http/web";
import { answerHosted } from "./serve";

const serve = handlerOf(answerHosted);

/** The handlers of every hosted page, for every method: those that a page does not have are refused in our own words. */
export const hosted = { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve };
