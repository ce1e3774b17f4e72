/** The webhook key is created once and completely, on any file system under the data folder. */
import fs, { readdirSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { expect, it, onTestFinished } from 'vitest';
import { openSecrets } from '../../../src/service/webhooks/secrets.ts';
import { tempDir } from '../../support/service.ts';

const place = 'hook 7';
const folderOfKey = () => {
  const folder = tempDir('key');
  onTestFinished(() => folder.remove());
  return folder.path;
};

/** Makes `link` fail until the test ends, as on an exFAT stick or a network drive. */
const withoutLinks = (code: string): void => {
  const { linkSync } = fs;
  const put = (link: typeof linkSync) => {
    fs.linkSync = link;
    syncBuiltinESMExports();
  };
  put(() => {
    throw Object.assign(new Error(`${code}: link`), { code, syscall: 'link' });
  });
  onTestFinished(() => put(linkSync));
};

it.each(['EPERM', 'ENOSYS', 'ENOTSUP'])(
  'where the file system knows no hard links (%s) the key is made all the same, once',
  (code) => {
    const folder = folderOfKey();
    withoutLinks(code);
    const sealed = openSecrets('', folder).seal('Bearer 1', place);
    expect(openSecrets('', folder).open(sealed, place)).toBe('Bearer 1');
    expect(readdirSync(folder)).toEqual(['webhook.key']);
  },
);

it('any other refusal is told, and leaves no half of a key', () => {
  const folder = folderOfKey();
  withoutLinks('EIO');
  expect(() => openSecrets('', folder)).toThrow('EIO');
  expect(readdirSync(folder)).toEqual([]);
});
