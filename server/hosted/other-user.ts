// A link in a browser where somebody else is signed in: the page says so and offers to sign out. Nothing else happens,
// so nobody confirms, changes or accepts something for another user by mistake. Applies only to links that still work.

import { readCookie, sessionCookieName } from "@/server/domains/sessions/cookie";
import { signOut } from "@/server/domains/sessions/operations/sign-out";
import { currentUser } from "@/server/domains/users/operations/current";
import type { HttpReply } from "@/server/http/exchange";
import { Failure } from "@/server/kit/errors";
import { html } from "@/server/kit/html";
import { PageCall } from "./call";
import { type Document, frame, state } from "./frame";
import { type Reader, readerOf } from "./reader";
import { pageReply, seeOther } from "./response";

interface OpenLink {
  path: string;
  /** The user whose link it is; null for an invitation, which is for nobody who can sign in yet. */
  userId: string | null;
}

/** The page for a browser in which a user other than the link's is signed in; null for every other browser. */
export async function otherUserPage(
  call: PageCall,
  link: OpenLink,
  reader = readerOf(call),
): Promise<HttpReply | null> {
  const user = await otherUser(new SessionCall(call), link);
  return user && pageReply(otherUserDocument(user, link, reader), 200);
}

/** The response to a form of the link from such a browser: signs out if asked to, then shows the page again. */
export async function refusedToOther(
  call: PageCall,
  link: OpenLink,
  { act }: Readonly<Record<string, string>>,
): Promise<HttpReply | null> {
  const session = new SessionCall(call);
  const user = await otherUser(session, link);
  if (act === "sign_out" && user) await orNull(session.perform(signOut, {}));
  // If the session has ended meanwhile, the button to sign out must not submit the form that comes next.
  else if (act !== "sign_out" && !user) return null;
  const reply = seeOther(readerOf(call).link(link.path));
  return { ...reply, headers: { ...reply.headers, ...session.cookieHeader() } };
}

/** Whether the user is signed in in this browser. */
export async function isSignedIn(call: PageCall, userId: string): Promise<boolean> {
  const session = new SessionCall(call);
  return session.cookie !== null && (await orNull(session.perform(currentUser, {})))?.user_id === userId;
}

/** Whether the browser has a session of the dashboard, which may have ended. */
export const hasSession = ({ runtime, headers }: PageCall): boolean =>
  readCookie(sessionCookieName(runtime.env), headers.get("cookie")) !== null;

/** The same request with the dashboard's session as its credential. */
class SessionCall extends PageCall {
  override readonly cookie: string | null;
  private newCookie: string | null = null;

  constructor({ request, runtime, requestId }: PageCall) {
    super(request, runtime, requestId);
    this.cookie = readCookie(sessionCookieName(runtime.env), this.headers.get("cookie"));
  }

  override setCookie(cookie: string): void {
    this.newCookie = cookie;
  }

  cookieHeader(): Record<string, string> {
    return this.newCookie === null ? {} : { "Set-Cookie": this.newCookie };
  }
}

interface OtherUser {
  user_id: string;
  name: string | null;
  email: string;
}

async function otherUser(session: SessionCall, { userId }: OpenLink): Promise<OtherUser | null> {
  if (session.cookie === null) return null;
  const user = await orNull(session.perform(currentUser, {}));
  return user?.user_id === userId ? null : user;
}

/** Null if the session has ended. */
async function orNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Failure && error.code === "unauthorized") return null;
    throw error;
  }
}

function otherUserDocument({ name, email }: OtherUser, { path, userId }: OpenLink, reader: Reader): Document {
  const { t, link } = reader;
  const kind = userId === null ? "invitation" : "link";
  const heading = t(`otherUser.${kind}.heading`);
  // Isolated (Unicode UAX #9), because a name may be written from right to left.
  const user = name === null ? email : `\u2068${name}\u2069 (${email})`;
  const body = html`
  ${state("lock", heading, t(`otherUser.${kind}.text`, { user }))}
  <div class="part acts"><form method="post" action="${link(path)}">
  <button class="button" name="act" value="sign_out">${t("otherUser.signOut")}</button>
  </form>
  <a class="button outline" href="/dashboard">${t("otherUser.stay")}</a></div>`;
  return frame({ title: heading, reader, brandColor: null, isTest: false, body });
}
