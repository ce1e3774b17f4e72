/** `spotter verify` (decisions §19.6) on packs of the real service: as they are, changed bit by bit, and hostile. */
import { createHash } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync, crc32 } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runVerify } from '../../../src/browser/verify/command.ts';
import { verifyPack } from '../../../src/browser/verify/verify-pack.ts';
import { readDirectory, readEntry, type Source } from '../../../src/browser/verify/zip.ts';
import { rotateKey } from '../../../src/service/domain/evidence/signing-keys.ts';
import { startTestService } from '../../support/service.ts';
import { slow } from '../../support/slow.ts';
import { makeWorld, type World } from '../matrix-world.ts';
import {
  askPack,
  fetchPack,
  makeNamed,
  packAgain,
  runIn,
  temporaryFolder,
  unpack,
} from './support.ts';

let world: World;
let near_miss: number;
let pack: Buffer;
beforeAll(async () => {
  world = await makeWorld(await startTestService());
  near_miss = await makeNamed(world.owner);
  pack = await fetchPack(await askPack(world.owner, near_miss, { with_names: true }));
});
afterAll(() => world.t.stop());

const sourceOf = (bytes: Buffer): Source => ({
  size: bytes.length,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
});

const problemsOf = async (bytes: Buffer, without_text = false): Promise<readonly string[]> =>
  (await verifyPack(sourceOf(bytes), { without_text })).problems;

const quiet = (): void => undefined;

/** Runs the command on these bytes. */
const run = async (bytes: Buffer, ...options: readonly string[]) => {
  const file = join(temporaryFolder(), 'pack.zip');
  writeFileSync(file, bytes);
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const code = await runVerify([file, ...options], write, write);
  return { code, text: lines.join('\n') };
};

/** Names and checksums of what is read from a ZIP. */
const contentOf = async (bytes: Buffer): Promise<string> => {
  const hash = createHash('sha256');
  for (const entry of await readDirectory(sourceOf(bytes), 100)) {
    hash.update(`\n${entry.name}\n`);
    for await (const chunk of readEntry(sourceOf(bytes), entry)) hash.update(chunk);
  }
  return hash.digest('hex');
};

/** Flips bits one after the other. @returns how many were found; throws for one that is neither found nor without effect */
const flipAll = async (bitsOf: (at: number) => readonly number[]): Promise<number> => {
  const content = await contentOf(pack);
  const bytes = Buffer.from(pack);
  let found = 0;
  for (let at = 0; at < bytes.length; at += 1)
    for (const bit of bitsOf(at)) {
      bytes[at] = (pack[at] ?? 0) ^ (1 << bit);
      if ((await problemsOf(bytes)).length > 0) found += 1;
      else if ((await contentOf(bytes)) !== content)
        throw new Error(`bit ${bit} of byte ${at} changed the content, and nobody noticed`);
      bytes[at] = pack[at] ?? 0;
    }
  return found;
};

interface Member {
  readonly name: string;
  readonly content: Buffer;
  /** What the headers claim. */
  readonly size?: number;
  readonly own_name?: string;
  /** Extra field and header of its own, and those of the directory. */
  readonly own_extra?: Buffer;
  readonly change_own?: (head: Buffer) => void;
  readonly extra?: Buffer;
  readonly change?: (entry: Buffer) => void;
  readonly comment?: Buffer;
}

const nothing = Buffer.alloc(0);
const doNothing = (): void => undefined;

/** Writes a ZIP with deflated members, as another program would, and with the lies that a test needs. */
const zipOf = (members: readonly Member[]): Buffer => {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const one of members) {
    const { name, content, size = content.length, own_name = name } = one;
    const { own_extra = nothing, extra = nothing, comment = nothing } = one;
    const packed = deflateRawSync(content);
    const head = Buffer.alloc(30);
    head.writeUInt32LE(0x04034b50, 0);
    head.writeUInt16LE(8, 8);
    head.writeUInt32LE(crc32(content), 14);
    head.writeUInt32LE(packed.length, 18);
    head.writeUInt32LE(size, 22);
    head.writeUInt16LE(Buffer.byteLength(own_name), 26);
    head.writeUInt16LE(own_extra.length, 28);
    (one.change_own ?? doNothing)(head);
    parts.push(head, Buffer.from(own_name), own_extra, packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(crc32(content), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(size, 24);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt16LE(comment.length, 32);
    entry.writeUInt32LE(offset, 42);
    (one.change ?? doNothing)(entry);
    directory.push(entry, Buffer.from(name), extra, comment);
    offset += 30 + Buffer.byteLength(own_name) + own_extra.length + packed.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(members.length, 8);
  end.writeUInt16LE(members.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
};

const membersOf = async (bytes: Buffer): Promise<Member[]> => {
  const members: Member[] = [];
  for (const entry of await readDirectory(sourceOf(bytes), 100)) {
    const chunks: Buffer[] = [];
    for await (const chunk of readEntry(sourceOf(bytes), entry)) chunks.push(chunk);
    members.push({ name: entry.name, content: Buffer.concat(chunks) });
  }
  return members;
};

describe('decisions §19.6: a genuine pack', () => {
  it('decisions §19.6: the published key, an own copy of it, or none', async () => {
    const { t } = world;
    const published = await run(pack, '--service', t.url);
    expect(published.text).toContain('The pack is genuine.');
    expect(published.code).toBe(0);
    const folder = await unpack(pack);
    expect((await run(pack, '--key', join(folder, 'public-key.pem'))).code).toBe(0);
    const none = await run(pack);
    expect([none.code, none.text]).toEqual([3, expect.stringContaining('WHO signed it')]);
  });

  it('decisions §19.6: packed again by another program, or without its texts', async () => {
    const folder = await unpack(pack);
    expect((await run(await packAgain(folder), '--service', world.t.url)).code).toBe(0);
    for (const name of ['report.html', 'report.json', 'history.json']) rmSync(join(folder, name));
    const bytes = await packAgain(folder);
    const refused = await run(bytes, '--service', world.t.url);
    expect([refused.code, refused.text]).toEqual([
      1,
      expect.stringContaining('report.json is missing'),
    ]);
    const accepted = await run(bytes, '--service', world.t.url, '--without-text');
    expect([accepted.code, accepted.text]).toEqual([
      0,
      expect.stringContaining('texts were removed'),
    ]);
  });

  it('decisions §19.6: the program of the npm package verifies it in a process', async () => {
    const file = join(temporaryFolder(), 'pack.zip');
    writeFileSync(file, pack);
    const program = join(import.meta.dirname, '../../../src/browser/npx.ts');
    const verify = (...more: string[]) =>
      runIn('.', process.execPath, program, 'verify', file, ...more);
    const good = await verify('--service', world.t.url);
    expect([good.code, good.output]).toEqual([0, expect.stringContaining('The pack is genuine.')]);
    expect((await verify('--keys', 'x')).code).toBe(2);
  });
});

describe('decisions §19.6: a pack that is not genuine', () => {
  slow(
    'decisions §19.6: a flipped bit of every third byte is found, or changes nothing that is read',
    async () => {
      const found = await flipAll((at) => (at % 3 === 0 ? [at % 8] : []));
      expect(found).toBeGreaterThan((pack.length / 3) * 0.9);
    },
  );

  slow('decisions §19.6: every flipped bit is found, or changes nothing that is read', async () => {
    const found = await flipAll(() => [0, 1, 2, 3, 4, 5, 6, 7]);
    expect(found).toBeGreaterThan(pack.length * 8 * 0.9);
  });

  it('decisions §19.6: cut off anywhere, or with something after its end', async () => {
    for (let length = 0; length < pack.length; length += 97)
      expect(await problemsOf(pack.subarray(0, length))).not.toEqual([]);
    expect(await problemsOf(Buffer.concat([pack, Buffer.from('x')]))).not.toEqual([]);
    expect(await problemsOf(Buffer.concat([Buffer.from('x'), pack]))).not.toEqual([]);
  });

  it('decisions §19.6: another key, another pack’s photo, a missing or a further file', async () => {
    const members = await membersOf(pack);
    const other = await startTestService();
    onTestFinished(() => other.stop());
    const answer = await run(pack, '--service', other.url);
    expect([answer.code, answer.text]).toEqual([1, expect.stringContaining('none of those')]);
    const without = members.filter(({ name }) => name !== 'photos/1.jpg');
    expect(await problemsOf(zipOf(without), true)).toEqual(['photos/1.jpg is missing']);
    const further = [...members, { name: 'photos/2.jpg', content: Buffer.from('x') }];
    expect(await problemsOf(zipOf(further))).toEqual([
      'photos/2.jpg is in the pack, but the receipt does not list it',
    ]);
    const swapped = members.map((one) =>
      one.name === 'photos/1.jpg' ? { ...one, content: Buffer.from('canary-7d1g') } : one,
    );
    expect(await problemsOf(zipOf(swapped))).toEqual(['photos/1.jpg was changed']);
    expect(await problemsOf(zipOf(members))).toEqual([]);
  });

  it('decisions §19.6: a receipt of a time at which its key had ended', async () => {
    const { t, owner } = world;
    t.clock.advance(60_000);
    const late = await fetchPack(await askPack(owner, near_miss));
    const { store, webhooks } = t.service.app;
    await store.write((tx) => rotateKey(tx, webhooks.secrets, t.clock.now()));
    expect((await run(late, '--service', t.url)).code).toBe(0);
    // A copy of the key list that ends the key earlier: what a service says after the key was stolen.
    const verdict = await verifyPack(sourceOf(late), {
      without_text: false,
      trusted: async () => {
        const keys = (await (await fetch(`${t.url}/rest/v1.0/signing_keys`)).json()) as {
          public_key: string;
        }[];
        const until = t.clock.now() - 30_000;
        return { public_key: keys[0]?.public_key ?? '', from: 0, until };
      },
    });
    expect(verdict.problems).toEqual([expect.stringContaining('did not sign on')]);
  });
});

describe('decisions §19.6: a genuine pack that another program would read differently', () => {
  const field = (id: number, content: Buffer): Buffer => {
    const head = Buffer.alloc(4);
    head.writeUInt16LE(id, 0);
    head.writeUInt16LE(content.length, 2);
    return Buffer.concat([head, content]);
  };
  /** Info-ZIP takes the name of a file from here. */
  const named = (name: string, real: string): Buffer => {
    const sum = Buffer.alloc(5);
    sum.writeUInt8(1, 0);
    sum.writeUInt32LE(crc32(real), 1);
    return field(0x7075, Buffer.concat([sum, Buffer.from(name)]));
  };
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  const renamed = named('report.json', 'report.html');

  it.each<[string, Partial<Member>]>([
    [
      'sizes of nothing in its own header, with which unzip makes an empty file',
      { change_own: (head) => void head.fill(0, 14, 26) },
    ],
    ['another name in an extra field', { own_extra: renamed, extra: renamed }],
    [
      'a second directory, which Python follows',
      { comment: Buffer.concat([Buffer.alloc(56), locator]) },
    ],
    [
      'a second directory in a field for times',
      { extra: field(0x5455, Buffer.concat([Buffer.alloc(2), locator])) },
    ],
    ['bytes in an unknown extra field', { own_extra: field(0x9999, Buffer.alloc(500)) }],
    ['a comment', { comment: Buffer.from('Found to be false') }],
    ['a link in place of a file', { change: (entry) => void entry.writeUInt32LE(0xa1ff0000, 38) }],
    ['a folder in place of a file', { change: (entry) => void entry.writeUInt32LE(0x10, 38) }],
    ['encryption in its own header alone', { change_own: (head) => void head.writeUInt16LE(1, 6) }],
    [
      'a descriptor of something else',
      {
        change_own: (head) => void head.writeUInt16LE(8, 6),
        change: (entry) => void entry.writeUInt16LE(8, 8),
      },
    ],
  ])('decisions §19.6: %s', async (_what, lie) => {
    const members = await membersOf(pack);
    // The page comes last, so that its entry is before the end of the directory.
    const others = members.filter(({ name }) => name !== 'report.html');
    const page = members.filter(({ name }) => name === 'report.html');
    expect(await problemsOf(zipOf([...others, ...page]))).toEqual([]);
    const bytes = zipOf([...others, ...page.map((one) => ({ ...one, ...lie }))]);
    expect(await problemsOf(bytes)).toEqual([expect.stringMatching(/./)]);
  });

  it('decisions §19.6: bytes in the entry of a folder', async () => {
    const folder = { name: 'photos/', content: Buffer.from('hidden'), size: 0 };
    expect(await problemsOf(zipOf([...(await membersOf(pack)), folder]))).not.toEqual([]);
  });
});

describe('decisions §19.6: a hostile ZIP', () => {
  const bomb = Buffer.alloc(50 * 1024 * 1024);

  it.each<[string, () => Buffer]>([
    [
      'a bomb that claims to be small',
      () => zipOf([{ name: 'receipt.json', content: bomb, size: 100 }]),
    ],
    [
      'a receipt that is too large',
      () =>
        zipOf([
          { name: 'receipt.json', content: bomb },
          { name: 'receipt.sig', content: Buffer.alloc(64) },
          { name: 'public-key.pem', content: Buffer.alloc(10) },
        ]),
    ],
    ['a way out of the folder', () => zipOf([{ name: '../receipt.json', content: bomb }])],
    ['an absolute path', () => zipOf([{ name: '/etc/passwd', content: Buffer.from('x') }])],
    [
      'a name with a control character',
      () => zipOf([{ name: 'a\u001b[2J', content: Buffer.from('x') }]),
    ],
    [
      'a name with a control character of another kind',
      () => zipOf([{ name: 'a\u009b2J\u202e', own_name: 'b', content: Buffer.from('x') }]),
    ],
    ['a huge name', () => zipOf([{ name: 'a'.repeat(60_000), content: Buffer.from('x') }])],
    [
      'a name twice',
      () =>
        zipOf([
          { name: 'receipt.json', content: Buffer.from('x') },
          { name: 'receipt.json', content: Buffer.from('y') },
        ]),
    ],
    [
      'another name in its own header',
      () => zipOf([{ name: 'receipt.json', own_name: 'receipt.html', content: Buffer.from('x') }]),
    ],
    [
      'too many files',
      () =>
        zipOf(
          Array.from({ length: 6000 }, (_, at) => ({ name: `a${at}`, content: Buffer.from('') })),
        ),
    ],
    ['no ZIP', () => Buffer.from('This is no pack at all, only a text.')],
    ['nothing', () => Buffer.alloc(0)],
  ])('decisions §19.6: %s is refused in words', async (_what, make) => {
    const { code, text } = await run(make());
    expect(code).toBe(1);
    expect(text).toContain('NOT genuine');
    expect(text).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(text.length).toBeLessThan(1000);
  });

  it('decisions §19.6: called wrongly it exits with 2', async () => {
    expect(await runVerify(['/nowhere/pack.zip'], quiet, quiet)).toBe(2);
    expect(await runVerify([], quiet, quiet)).toBe(2);
    expect((await run(pack, '--key', '/nowhere.pem')).code).toBe(2);
    expect((await run(pack, '--service', 'ftp://x')).code).toBe(2);
    expect((await run(pack, '--service', 'http://127.0.0.1:9')).code).toBe(2);
    expect(await runVerify([temporaryFolder()], quiet, quiet)).toBe(2);
  });
});
