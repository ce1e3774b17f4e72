/** The built Electron shell and the system around it: how it is started, told to end, and looked at from outside; on the stand-in. */
import { expect, test } from './fixtures.ts';

test.skip(({ shell }) => shell !== 'stand-in', 'drives the stand-in of Electron');

test('started without its sandbox, as an AppImage starts where it gets none, it says what to install and opens no window', async ({
  app,
}) => {
  await app.open({ args: ['--no-sandbox'], windowless: true });
  const asked = await app.electron.dialog(/does not run without that/);
  expect(asked.detail).toContain('deb or rpm');
  await app.electron.press(asked, 'Quit');
  expect(await app.electron.exited()).toBe(1);
  expect(app.output).not.toContain('Service on this laptop');
});
