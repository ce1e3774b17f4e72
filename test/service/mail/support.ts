/** A real SMTP server on a free port of this machine, friendly or hostile, and helpers of the mail tests. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { onTestFinished } from 'vitest';
import type { Options } from '../../../src/service/options.ts';
import {
  clientOf,
  startTestService,
  type Client,
  type TestService,
} from '../../support/service.ts';

export interface Taken {
  readonly to: string;
  readonly text: string;
  /** By lower-case name, unfolded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** What the server says of a mail that it has read: null takes it, `drop` takes it and ends the connection unanswered. */
type Verdict = { readonly code: number; readonly text: string } | 'drop' | null;
export type Judge = (mail: Taken) => Verdict | Promise<Verdict>;

/** Reads a mail of one part. */
export const readMail = (to: string, text: string): Taken => {
  const at = text.indexOf('\r\n\r\n');
  const head = text.slice(0, at).replaceAll(/\r\n[ \t]+/g, ' ');
  const headers = new Map(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
    }),
  );
  const quoted = headers.get('content-transfer-encoding') === 'quoted-printable';
  const body = text.slice(at + 4);
  return { to, text, headers, body: quoted ? decodeQuoted(body) : body };
};

const decodeQuoted = (body: string): string =>
  Buffer.from(
    body
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString('utf8');

export interface MailServer {
  readonly port: number;
  /** Accepted mails, in order. `drop` accepts too: the server has the mail, and its answer is lost. */
  readonly taken: readonly Taken[];
  judge(how: Judge): void;
  close(): Promise<void>;
}

export const startMailServer = async (
  first: Judge = () => null,
  options: SMTPServerOptions = {},
): Promise<MailServer> => {
  let how = first;
  const taken: Taken[] = [];
  const sockets = new Map<string, Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = session.envelope.rcptTo[0]?.address ?? '';
        const mail = readMail(to, Buffer.concat(chunks).toString('utf8'));
        const socket = sockets.get(session.remotePort.toString());
        void Promise.resolve(how(mail)).then((said) => {
          if (said === null || said === 'drop') taken.push(mail);
          if (said === 'drop') socket?.destroy();
          else if (said === null) done();
          else done(Object.assign(new Error(said.text), { responseCode: said.code }));
        });
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.set(String(socket.remotePort), socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    taken,
    judge: (next) => {
      how = next;
    },
    close: async () => {
      for (const socket of sockets.values()) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
};

export const PUBLIC_URL = 'https://spotter.firm.example';

export const mailOptions = (port: number): Partial<Options> => ({
  'mail-server': `smtp://127.0.0.1:${port}`,
  'mail-from': 'Spotter <spotter@firm.example>',
  'public-url': PUBLIC_URL,
  'mail-interval': 20,
  'mail-timeout': 5000,
});

/** A mail server and a service that sends to it, for the current test. */
export const mailing = async (
  first?: Judge,
  options: Partial<Options> = {},
): Promise<{ readonly t: TestService; readonly server: MailServer }> => {
  const server = await startMailServer(first);
  onTestFinished(() => server.close());
  const t = await startTestService({ ...mailOptions(server.port), ...options });
  onTestFinished(() => t.stop());
  return { t, server };
};

/** The ids of the custom fields by label. */
export const fieldsOf = async (client: Client): Promise<Readonly<Record<string, string>>> => {
  const { custom_field_definitions } = (await client.get('~/catalog')).json;
  return Object.fromEntries(
    (custom_field_definitions as { id: number; label: string }[]).map(({ id, label }) => [
      label,
      `custom_field_${id}`,
    ]),
  );
};

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly login: string;
}

let people = 0;

/** Adds a user whose login is a mail address. */
export const addPerson = async (client: Client, more: object = {}): Promise<Person> => {
  people += 1;
  const user = { login: `person${people}@firm.example`, name: `Person Número ${people}`, ...more };
  const made = await client.post(`/rest/v1.0/companies/${client.company_id}/users`, { user });
  if (made.status !== 201) throw new Error(made.text);
  return made.json as Person;
};

const MAILS = (client: Client): string => `/rest/v1.0/companies/${client.company_id}/mails`;

export const mailsOf = async (client: Client) =>
  (await client.get(MAILS(client))).json as {
    user: Person;
    kind: string;
    outcome: string;
    failures: number;
    error: string | null;
  }[];

/** The client of a person, set up by a code. */
export const signIn = async (t: TestService, { id }: Person): Promise<Client> => {
  const codes = `/rest/v1.0/companies/${t.demo.company_id}/enrolment_codes`;
  const { code } = (await t.demo.post(codes, { enrolment_code: { user_id: id } })).json;
  const { token } = (await t.demo.post('/rest/v1.0/enrolments', { enrolment: { code } })).json;
  return clientOf(t.url, { ...t.demo, token });
};
