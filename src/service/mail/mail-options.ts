/** Reads the options of mail. An option that is wrong is a sentence that names it and never shows the password. */
import { isMailAddress } from '../domain/mail/address.ts';

export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS. */
  readonly secure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | null;
}

const PORTS: Readonly<Record<string, number>> = { 'smtp:': 587, 'smtps:': 465 };

/** `smtp://user:password@host:587` or `smtps://…`; null if invalid. */
export const readMailServer = (text: string): MailServer | null => {
  if (!URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const standard = PORTS[protocol];
  if (standard === undefined || hostname === '' || !['', '/'].includes(pathname)) return null;
  if (search + hash !== '' || (username === '') !== (password === '')) return null;
  try {
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? standard : Number(port),
      secure: protocol === 'smtps:',
      login:
        username === ''
          ? null
          : { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    };
  } catch {
    // A `%` that encodes nothing.
    return null;
  }
};

export interface Sender {
  readonly name: string;
  readonly address: string;
}

/** `Spotter <spotter@firm.example>`, or the address alone; null if invalid. */
export const readSender = (text: string): Sender | null => {
  const named = /^([^<>"\p{Cc}]{0,100}?) *<([^<>]*)>$/u.exec(text.trim());
  const [name, address] = named ? [named[1]?.trim() ?? '', named[2] ?? ''] : ['', text.trim()];
  return isMailAddress(address) ? { name, address } : null;
};

/** Names of this machine. Nothing that is sent to them leaves it. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** Null if mail is off or may begin, otherwise what is wrong. */
export const mailFault = (given: {
  readonly server: string;
  readonly from: string;
  readonly public_url: string;
  readonly without_tls: boolean;
}): string | null => {
  if (given.server === '') return null;
  const server = readMailServer(given.server);
  if (server === null)
    return '--mail-server must be an address such as smtp://user:password@smtp.firm.example:587 or smtps://smtp.firm.example:465; a user needs a password, and :, /, @ and % in either are written as %3A, %2F, %40 and %25.';
  if (given.without_tls && server.secure)
    return '--mail-without-tls and smtps:// in --mail-server exclude each other: leave one out.';
  if (readSender(given.from) === null)
    return '--mail-from must be the sender of the mail, such as Spotter <spotter@firm.example>, when --mail-server is set.';
  if (given.public_url === '')
    return '--mail-server needs --public-url, such as https://spotter.example.com: the links in mails begin with it.';
  return null;
};
