/** `mail test ADDRESS`: sends one mail by the options of the service, and says what to do if it fails. It opens no database. */
import { isMailAddress } from '../domain/mail/address.ts';
import { composeTestMail } from '../mail/compose.ts';
import { sendRulesOf } from '../mail/mail.ts';
import { sendMail, type MailOutcome, type SendRules } from '../mail/send.ts';
import { OptionError, parseCommand } from '../options.ts';

const advice = ({ server }: SendRules): Readonly<Record<string, string>> => ({
  reach: `${server.host} did not answer on port ${server.port} as a mail server does: check name and port in --mail-server, and the firewall`,
  tls: `TLS failed: take smtps:// for port 465 and smtp:// for port 587; give the authority of an own certificate in NODE_EXTRA_CA_CERTS`,
  login: 'the server did not accept the sign-in: check user and password in --mail-server',
  refused:
    'the server refused this mail: check --mail-from and the address, and whether the server relays for this machine',
});

const sentenceOf = ({ error, fault }: MailOutcome, rules: SendRules): string =>
  `no mail was sent, because ${advice(rules)[fault ?? 'reach']} (${error})`;

/** Returns the JSON for stdout. @throws {OptionError} */
export const runMail = async (
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<unknown> => {
  const { options, words } = parseCommand(argv, environment, []);
  const [verb, to = '', ...rest] = words;
  if (verb !== 'test' || rest.length > 0 || !isMailAddress(to))
    throw new OptionError('Usage: mail test ADDRESS, such as ana@firm.example. See --help.');
  const rules = sendRulesOf(options);
  if (rules === null)
    throw new OptionError(
      'Mail is off. Set --mail-server, --mail-from and --public-url, or their variables. See --help.',
    );
  const letter = await composeTestMail(rules.sender, to, Date.now());
  const outcome = await sendMail(letter, rules);
  if (outcome.error !== null)
    throw Object.assign(new Error(sentenceOf(outcome, rules)), { code: 'MAIL' });
  return { sent: to, message_id: letter.message_id };
};
