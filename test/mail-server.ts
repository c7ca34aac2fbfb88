// A real SMTP server for tests, on a port of its own. It keeps what it accepts, and can be told to misbehave.
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail that the server accepted, or that had arrived whole when the test took over. */
interface ArrivedMail {
  from: string;
  to: string[];
  /** The message as it was sent: headers, an empty line, bodies in their transfer encodings. */
  raw: string;
  isEncrypted: boolean;
}

export interface MailServer {
  port: number;
  /** The address for `SMTP_URL`, of a user `ada` whose password is `secret`. */
  url: string;
  arrived: ArrivedMail[];
  /** Called once the whole message has arrived and before the server answers; an error is its answer. */
  onMessage: (mail: ArrivedMail) => void | Promise<void>;
  /** Called for each recipient; an error is the server's answer. */
  onRecipient: (address: string) => void | Promise<void>;
  /** Cuts all connections. */
  cut(): void;
  close(): Promise<void>;
}

/** An answer of the server, such as 550. */
export const refusal = (code: number, answer: string): Error =>
  Object.assign(new Error(answer), { responseCode: code });

/** Starts a server. By default it offers STARTTLS with an untrusted certificate, and asks for no password. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const sockets = new Set<{ destroy(): void }>();
  const answer = (work: void | Promise<void>, callback: (error?: Error | null) => void) =>
    Promise.resolve(work).then(
      () => callback(),
      (error: Error) => callback(error),
    );
  const server = new SMTPServer({
    ...{ authOptional: true, logger: false, disableReverseLookup: true, closeTimeout: 100 },
    onAuth: ({ username, password }, _session, callback) =>
      username === "ada" && password === "secret"
        ? callback(null, { user: username })
        : callback(refusal(535, "5.7.8 Wrong user or password")),
    onRcptTo: ({ address }, _session, callback) => answer((async () => mail.onRecipient(address))(), callback),
    onData: async (stream, { envelope, secure }, callback) => {
      const arrived: ArrivedMail = {
        from: envelope.mailFrom ? envelope.mailFrom.address : "",
        to: envelope.rcptTo.map(({ address }) => address),
        raw: await text(stream),
        isEncrypted: secure,
      };
      await answer(
        (async () => {
          await mail.onMessage(arrived);
          mail.arrived.push(arrived);
        })(),
        callback,
      );
    },
    ...options,
  });
  // Tests cut connections, which the server reports as errors.
  server.on("error", () => {});
  server.server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as AddressInfo;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const mail: MailServer = {
    port,
    url: `smtp://127.0.0.1:${port}`,
    arrived: [],
    onMessage: () => undefined,
    onRecipient: () => undefined,
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return mail;
}

/** The header of a message, unfolded; undefined if it is missing. */
export const headerOf = ({ raw }: ArrivedMail, name: string): string | undefined =>
  headersOf(raw)
    .find((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    ?.slice(name.length + 1)
    .trim();

/** The lines of the message's header, unfolded. */
export const headersOf = (raw: string): string[] =>
  (raw.split("\r\n\r\n")[0] ?? "").replace(/\r\n[ \t]+/g, " ").split("\r\n");

/** The decoded bodies of a message: text, then HTML. */
export function bodiesOf({ raw }: ArrivedMail): string[] {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? "";
  return raw
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = "", ...body] = part.split("\r\n\r\n");
      return decoded(head, body.join("\r\n\r\n")).trim();
    });
}

function decoded(head: string, body: string): string {
  if (/base64/i.test(head)) return Buffer.from(body, "base64").toString();
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
