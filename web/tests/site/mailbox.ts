// A mail server for tests: it accepts every mail.

import { createServer, type Socket } from "node:net";

export interface Mailbox {
  port: number;
  /** The next mail, as it was sent: its envelope, its headers, its text. */
  next(): Promise<string>;
  close(): void;
}

function receive(socket: Socket, take: (mail: string) => void): void {
  let [waiting, mail, inData] = ["", "", false];
  socket.write("220 mail.test\r\n");
  socket.on("error", () => {});
  socket.on("data", (bytes: Buffer) => {
    waiting += bytes.toString();
    for (let end = waiting.indexOf("\r\n"); end >= 0; end = waiting.indexOf("\r\n")) {
      const line = waiting.slice(0, end);
      waiting = waiting.slice(end + 2);
      if (inData && line !== ".") {
        mail += `${line.replace(/^\.\./, ".")}\n`;
        continue;
      }
      const order = inData ? "." : line.split(/[ :]/)[0]!.toUpperCase();
      inData = order === "DATA";
      if (order === "MAIL" || order === "RCPT") mail += `${line}\n`;
      if (order === ".") {
        take(mail);
        mail = "";
      }
      socket.write(order === "DATA" ? "354 go on\r\n" : order === "QUIT" ? "221 bye\r\n" : "250 good\r\n");
    }
  });
}

export async function openMailbox(): Promise<Mailbox> {
  const mails: string[] = [];
  let arrived = () => {};
  const server = createServer((socket) => receive(socket, (mail) => {
    mails.push(mail);
    arrived();
  }));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    port: (server.address() as { port: number }).port,
    async next() {
      if (!mails.length) {
        await new Promise<void>((done, fail) => {
          const timer = setTimeout(() => fail(new Error("no mail came within twenty seconds")), 20_000);
          arrived = () => {
            clearTimeout(timer);
            done();
          };
        });
      }
      return mails.shift()!;
    },
    close: () => void server.close(),
  };
}

/** The text of a mail, decoded. */
export function textOf(mail: string): string {
  const [head = "", ...body] = mail.split("\n\n");
  const text = body.join("\n\n");
  if (/transfer-encoding: base64/i.test(head)) return Buffer.from(text, "base64").toString();
  if (!/transfer-encoding: quoted-printable/i.test(head)) return text;
  const bytes = text.replace(/=\n/g, "").replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}

/** A free port: a site that sends mail must know its own address before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as { port: number };
  await new Promise<void>((done) => server.close(() => done()));
  return port;
}
