// Hosted pages for hosts that use the web Request and Response, such as Next's route handlers.
import { handlerOf } from "@/server/http/web";
import { answerHosted } from "./serve";

const serve = handlerOf(answerHosted);

/** The handlers of every hosted page. They have every method, so that unsupported ones get our own refusal. */
export const hosted = { GET: serve, HEAD: serve, POST: serve, PUT: serve, PATCH: serve, DELETE: serve, OPTIONS: serve };
