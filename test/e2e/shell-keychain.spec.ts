/**
 * The keychain's states (failures A15) in the Electron shell: keytar in the shell's child process with a real gnome-keyring,
 * and the window's messages. Runs where the stand-in runs. The system's own prompt cannot be shown here, but its silence until
 * answered can.
 */
import { startKeyringSession } from '../support/keyring-session.ts';
import type { KeyringState } from '../support/keyring.ts';
import { expect, type Fixtures, test } from './fixtures.ts';
import { look } from './looks.ts';
import { connectToServer, report, waitingCount } from './steps.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'runs the Electron shell’s own keychain child');

const PROJECT = 'Harbour Bridge East';

const states: readonly [KeyringState, string][] = [
  ['locked', 'The keychain is locked'],
  ['wrong_password', 'The keychain is locked'],
  ['absent', 'The keychain is missing'],
  ['no_bus', 'The keychain is missing'],
];

type Parts = Pick<Fixtures, 'app' | 'server' | 'keyring' | 'afterApp'>;

/** Signs in with a working keyring, then reopens the app with a keyring in this state. */
const openAgain = async ({ app, server, keyring, afterApp }: Parts, state: KeyringState) => {
  await connectToServer(await app.open({ env: keyring.env }), server, PROJECT);
  await app.close();
  await keyring.pause();
  const changed = await startKeyringSession(state, keyring.home);
  afterApp(() => changed.end());
  return { changed, page: await app.open({ env: changed.env }) };
};

for (const [state, title] of states)
  test(`failures A15: keyring ${state}: the app opens, says it, takes a near miss and keeps it`, async ({
    app,
    server,
    keyring,
    afterApp,
  }) => {
    const { page } = await openAgain({ app, server, keyring, afterApp }, state);
    await expect(page.getByText(title)).toBeVisible({ timeout: 60_000 });
    await report(page, { text: `kept while the keyring is ${state}`, photos: [] });
    await expect.poll(() => waitingCount(page)).toBe(1);
    await expect(page.getByRole('button', { name: 'Try again' }).first()).toBeVisible();
    expect(app.output).not.toContain(server.first.token);
  });

test('failures A15: a system that asks its user is not cut off: the window says so, captures, and sends after the answer', async ({
  app,
  server,
  keyring,
  afterApp,
}) => {
  const { changed, page } = await openAgain({ app, server, keyring, afterApp }, 'hung');
  const said = page.getByText('Is this computer asking you about the keychain?');
  await expect(said).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(0);
  await report(page, { text: 'kept while the system asks', photos: [] });
  await expect.poll(() => waitingCount(page)).toBe(1);
  await look(page, 'keychain-asking');
  changed.answer();
  await expect(page.getByRole('link', { name: 'Online · all delivered' })).toBeVisible({
    timeout: 120_000,
  });
  await expect(said).toBeHidden();
  const forked = (await app.electron.ask('calls', null)).filter(
    ({ name, given }) => name === 'utilityProcess.fork' && given[0] === 'Spotter keychain',
  );
  expect(forked).toHaveLength(1);
});
