/** Signing in again and a locked keychain, as the window shows them: the queue waits, nothing is lost. */
import { keyringMissing } from '../support/keyring.ts';
import { startKeyringSession } from '../support/keyring-session.ts';
import { expect, test } from './fixtures.ts';
import { asStored, connectToServer, drained, report, signIn, sorted, storedAt } from './steps.ts';

const PROJECT = 'Harbour Bridge East';
test('outbox promise 4: a refused token holds the queue and asks to sign in; after that it is sent once', async ({
  server,
  chaos,
  client,
  world,
}) => {
  const page = await world.open();
  chaos.plan = () => ({
    kind: 'answer',
    status: 401,
    headers: { 'content-type': 'application/json' },
    body: '{"errors":["The token was revoked."]}',
  });
  const one = { text: 'Ladder not tied at lift shaft 2 (sign-in)', photos: [] };
  await report(page, one);
  await expect(page.getByText('Sign in again to send')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sign in to send · 1 waiting' })).toBeVisible();

  chaos.plan = () => null;
  await signIn(page, server);
  await drained(page, { timeout: 30_000 });
  const stored = await storedAt(client, 'sign-in');
  expect(sorted(stored)).toEqual(sorted(asStored([one])));
});

test('failures A15: behind a locked keyring the window opens, captures and says so; unlocked, the queue goes out', async ({
  app,
  server,
  client,
}) => {
  const missing = keyringMissing();
  test.skip(missing !== null, `a locked keyring ${missing ?? ''}`);
  const first = await startKeyringSession();
  try {
    const page = await app.open({ env: first.env });
    await connectToServer(page, server, PROJECT);
    await app.close();
    await first.pause();

    const locked = await startKeyringSession('locked', first.home);
    const one = { text: 'Acetylene bottle stored beside heater (behind-keyring)', photos: [] };
    const again = await app.open({ env: locked.env });
    await expect(again.getByText('The keychain is locked')).toBeVisible({ timeout: 15_000 });
    await report(again, one);
    await expect(again.getByRole('link', { name: /^Keychain locked · 1 waiting/ })).toBeVisible();
    await app.close();
    await locked.end();

    const unlocked = await startKeyringSession('unlocked', first.home);
    const last = await app.open({ env: unlocked.env });
    await expect
      .poll(async () => sorted(await storedAt(client, 'behind-keyring')), { timeout: 30_000 })
      .toEqual(sorted(asStored([one])));
    await drained(last);
    await app.close();
    await unlocked.end();
  } finally {
    await first.end();
  }
});
