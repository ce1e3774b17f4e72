/**
 * Hands one mail to the mail server, under one deadline for the whole conversation. TLS is required unless the server is on this
 * machine or the operator allows mail without it (decisions §16.4).
 */
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Letter } from './compose.ts';
import { isLoopback, type MailServer, type Sender } from './mail-options.ts';

export interface SendRules {
  readonly server: MailServer;
  readonly sender: Sender;
  readonly without_tls: boolean;
  /** Milliseconds. */
  readonly timeout: number;
}

export interface MailOutcome {
  /** Null: the server took the mail. */
  readonly error: string | null;
  /** True if the server refuses this mail for good. */
  readonly refused: boolean;
  /** A kind of fault, for the sentence of `mail test`. */
  readonly fault: 'reach' | 'tls' | 'login' | 'refused' | null;
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** Longer answers of a server are cut. */
const ERROR_MAX = 300;

const oneLine = (text: string): string =>
  text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, ERROR_MAX);

/** Codes of faults that a change of the options mends, so that the mail is tried again. */
const faultOf = ({ code, message }: SmtpError): Exclude<MailOutcome['fault'], null> => {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'login';
  if (code === 'EENVELOPE' || code === 'EMESSAGE') return 'refused';
  if (code === 'ETLS' || /certificate|TLS|SSL/i.test(message)) return 'tls';
  return 'reach';
};

const outcomeOf = (error: SmtpError): MailOutcome => {
  const fault = faultOf(error);
  const status = error.responseCode ?? 0;
  return {
    error: oneLine(error.message),
    refused: fault === 'refused' && status >= 500 && status < 600,
    fault,
  };
};

const optionsOf = ({ server, without_tls, timeout }: SendRules) => {
  const plain = !server.secure && (without_tls || isLoopback(server.host));
  return {
    host: server.host,
    port: server.port,
    secure: server.secure,
    requireTLS: !server.secure && !plain,
    ignoreTLS: plain,
    connectionTimeout: timeout,
    greetingTimeout: timeout,
    socketTimeout: timeout,
    dnsTimeout: timeout,
    socketCloseTimeout: 0,
    maxResponseSize: 64 * 1024,
  };
};

/** Never rejects: an error becomes an outcome. */
export const sendMail = (letter: Letter, rules: SendRules): Promise<MailOutcome> =>
  new Promise((resolve) => {
    const connection = new SMTPConnection(optionsOf(rules));
    const end = (outcome: MailOutcome): void => {
      clearTimeout(timer);
      connection.removeAllListeners();
      // What fails after the outcome is no matter any more.
      connection.on('error', () => undefined);
      resolve(outcome);
    };
    const fail = (error: SmtpError): void => {
      end(outcomeOf(error));
      connection.close();
    };
    const timer = setTimeout(
      () => fail(new Error(`The mail server did not take the mail within ${rules.timeout} ms.`)),
      rules.timeout,
    );
    const envelope = { from: rules.sender.address, to: [letter.to] };
    const send = (): void =>
      connection.send(envelope, letter.bytes, (error) => {
        if (error) return fail(error as SmtpError);
        end({ error: null, refused: false, fault: null });
        connection.quit();
      });
    connection.on('error', fail);
    connection.on('end', () => fail(new Error('The mail server ended the connection.')));
    connection.connect((failed) => {
      if (failed) return fail(failed as SmtpError);
      const { login } = rules.server;
      if (login === null) return send();
      connection.login(login, (refused) => (refused ? fail(refused as SmtpError) : send()));
    });
  });
