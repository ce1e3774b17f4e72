/**
 * Composes a mail (decisions §16.4). It is plain text and the same bytes each time, so that a mail server, or a person, recognises
 * a second delivery by its Message-ID. No text that a user typed is in it, so none can add a header.
 */
import MailComposer from 'nodemailer/lib/mail-composer';
import type { Language } from '../../contract/languages.ts';
import { linkKeyOf, type NearMissAddress } from '../../contract/near-miss-link.ts';
import type { RecordMailKind } from '../../contract/rest/access/mail.ts';
import type { WeeklyFigures } from '../domain/mail/weekly.ts';
import type { Signer } from '../files/signing.ts';
import type { Sender } from './mail-options.ts';
import { openPath, unsubscribePath } from './addresses.ts';
import { mailWords } from './words.ts';

export interface Letter {
  readonly to: string;
  readonly message_id: string;
  readonly bytes: Buffer;
}

/** What makes two mails the same: Message-ID is derived from it. */
export interface MailIdentity {
  readonly company_id: number;
  readonly user_id: number;
  readonly event: string;
}

const domainOf = ({ address }: Sender): string => address.split('@')[1] ?? '';

/** Signs these three values and no other, because the rest of a mail's row changes with each attempt. */
const messageId = (signer: Signer, sender: Sender, { company_id, user_id, event }: MailIdentity) =>
  `<${signer.sign('mail', { company_id, user_id, event }).slice(0, 40)}@${domainOf(sender)}>`;

const build = (options: ConstructorParameters<typeof MailComposer>[0]): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    new MailComposer({ ...options, disableFileAccess: true, disableUrlAccess: true })
      .compile()
      .build((error, bytes) => {
        if (error) reject(error);
        else resolve(bytes as Buffer);
      });
  });

const verbatim = (value: string) => ({ prepared: true, value });

export type MailContent =
  | {
      readonly kind: RecordMailKind;
      readonly near_miss: NearMissAddress;
      readonly due: string | null;
    }
  | { readonly kind: 'weekly'; readonly figures: WeeklyFigures };

/** The subject, and the lines above the footer. */
const wordsOf = (
  about: MailContent,
  language: Language,
  base: string,
): { readonly subject: string; readonly lines: readonly string[] } => {
  const { mails, weekly, open } = mailWords[language];
  if (about.kind === 'weekly')
    return { subject: weekly.subject(about.figures), lines: weekly.lines(about.figures) };
  const { subject, text } = mails[about.kind];
  const { near_miss, due } = about;
  const said = { number: near_miss.number, due };
  const address = `${base}${openPath(language, linkKeyOf(near_miss))}`;
  return { subject: subject(said), lines: [text(said), '', open, address] };
};

export const composeMail = async (
  parts: { readonly signer: Signer; readonly sender: Sender; readonly public_url: string },
  identity: MailIdentity,
  mail: {
    readonly to: string;
    readonly language: Language;
    readonly created_at: number;
    readonly about: MailContent;
  },
): Promise<Letter> => {
  const { signer, sender, public_url } = parts;
  const base = public_url.replace(/(?<!\/)\/+$/, '');
  const words = mailWords[mail.language];
  const { subject, lines } = wordsOf(mail.about, mail.language, base);
  const stop = `${base}${unsubscribePath(signer, identity)}`;
  const message_id = messageId(signer, sender, identity);
  const footer = ['', '-- ', words.why, words.stop, stop, ''];
  const bytes = await build({
    from: sender,
    to: { name: '', address: mail.to },
    subject,
    date: new Date(mail.created_at),
    messageId: message_id,
    text: [...lines, ...footer].join('\n'),
    headers: {
      'List-Unsubscribe': verbatim(`<${stop}>`),
      'List-Unsubscribe-Post': verbatim('List-Unsubscribe=One-Click'),
      'Auto-Submitted': verbatim('auto-generated'),
    },
  });
  return { to: mail.to, message_id, bytes };
};

/** The mail of `mail test`. It has no recipient in the database, so nobody can unsubscribe from it. */
export const composeTestMail = async (sender: Sender, to: string, now: number): Promise<Letter> => {
  const message_id = `<test-${now}@${domainOf(sender)}>`;
  const bytes = await build({
    from: sender,
    to: { name: '', address: to },
    subject: 'Test mail of Spotter',
    date: new Date(now),
    messageId: message_id,
    text: 'This mail shows that Spotter can send mail with its options.\n',
    headers: { 'Auto-Submitted': verbatim('auto-generated') },
  });
  return { to, message_id, bytes };
};
