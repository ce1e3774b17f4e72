/** [ours] Evidence packs and the keys that sign them (decisions §19.1 - §19.4), on both databases, verified by openssl. */
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { packReceipt } from '../../../src/contract/evidence-pack.ts';
import type { SigningKey } from '../../../src/contract/rest/evidence/signing-keys.ts';
import type { CustomFieldDefinition } from '../../../src/contract/rest/catalog.ts';
import { customKey } from '../../../src/contract/text/field-by-label.ts';
import { UNNAMED } from '../../../src/contract/text/who-saw.ts';
import { knownNames } from '../../../src/contract/text/without-names.ts';
import { maskerOf } from '../../../src/service/domain/evidence/masking.ts';
import { runCli, startTestService } from '../../support/service.ts';
import { CANARY, makeWorld, type World } from '../matrix-world.ts';
import { fieldFor, list } from '../near-miss-records.ts';
import {
  askPack,
  fetchPack,
  jsonIn,
  makeNamed,
  namesIn,
  PEOPLE,
  runIn,
  textsIn,
  unpack,
} from './support.ts';

let world: World;
let near_miss: number;
beforeAll(async () => {
  world = await makeWorld(await startTestService());
  near_miss = await makeNamed(world.owner);
});
afterAll(() => world.t.stop());

const keysOf = async (url: string): Promise<SigningKey[]> =>
  (await (await fetch(`${url}/rest/v1.0/signing_keys`)).json()) as SigningKey[];

const openssl = (folder: string) =>
  runIn(
    folder,
    'openssl',
    ...'pkeyutl -verify -pubin -inkey public-key.pem -rawin -in receipt.json -sigfile receipt.sig'.split(
      ' ',
    ),
  );

/** The hash of an entry of the history, after that of the entry before (decisions §15.2). */
const hashOf = (before: string, entry: Readonly<Record<string, unknown>>): string => {
  const user = entry['user'] as { id: number };
  const at = Date.parse(String(entry['at']));
  const parts = [before, near_miss, entry['id'], at, user.id, entry['action'], entry['digest']];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
};

describe('decisions §19.2, §19.3: a pack', () => {
  it('decisions §19.3: openssl and sha256sum verify it, and the key is the published one', async () => {
    const { owner, t } = world;
    const made = await askPack(owner, near_miss);
    expect(made.filename).toMatch(/^evidence-\d+-\d+\.zip$/);
    const folder = await unpack(await fetchPack(made));
    expect(namesIn(folder)).toEqual([
      'README.txt',
      'SHA256SUMS',
      'history.json',
      'photos',
      'photos/1.jpg',
      'public-key.pem',
      'receipt.json',
      'receipt.sig',
      'report.html',
      'report.json',
    ]);
    expect(await openssl(folder)).toMatchObject({
      code: 0,
      output: expect.stringContaining('Signature Verified Successfully') as string,
    });
    expect((await runIn(folder, 'sha256sum', '-c', '--strict', 'SHA256SUMS')).code).toBe(0);
    const receipt = packReceipt.parse(jsonIn(folder, 'receipt.json'));
    expect(receipt).toMatchObject({
      service: t.url,
      made_at: new Date(t.clock.now()).toISOString(),
      company_id: owner.company_id,
      project_id: owner.project_id,
      names: 'masked',
      near_miss: { id: near_miss, number: jsonIn(folder, 'report.json').number },
    });
    for (const { name, size, sha256 } of receipt.files) {
      const bytes = readFileSync(join(folder, name));
      expect([name, bytes.length]).toEqual([name, size]);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    expect(readFileSync(join(folder, 'photos/1.jpg'), 'utf8')).toBe(CANARY);
    const [key] = await keysOf(t.url);
    expect(key).toMatchObject({ id: receipt.key_id, until: null });
    expect(readFileSync(join(folder, 'public-key.pem'), 'utf8')).toBe(key?.public_key);
  });

  it('decisions §19.3: a changed receipt, text or photo fails', async () => {
    const folder = await unpack(await fetchPack(await askPack(world.owner, near_miss)));
    const flip = (name: string): void => {
      const bytes = readFileSync(join(folder, name));
      const at = Math.floor(bytes.length / 2);
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
      writeFileSync(join(folder, name), bytes);
    };
    flip('photos/1.jpg');
    expect((await runIn(folder, 'sha256sum', '-c', 'SHA256SUMS')).code).toBe(1);
    flip('receipt.json');
    expect((await openssl(folder)).code).toBe(1);
  });

  it('decisions §19.3: without its texts, receipt and photos still verify', async () => {
    const folder = await unpack(await fetchPack(await askPack(world.owner, near_miss)));
    for (const name of ['report.html', 'report.json', 'history.json']) rmSync(join(folder, name));
    expect((await openssl(folder)).code).toBe(0);
    const sums = await runIn(folder, 'sha256sum', '--ignore-missing', '-c', 'SHA256SUMS');
    expect(sums.code).toBe(0);
    expect(sums.output).toContain('photos/1.jpg: OK');
    // Two packs of one record have different salts, so a checksum says nothing about a text.
    const other = await unpack(await fetchPack(await askPack(world.owner, near_miss)));
    const sumOf = (where: string) =>
      packReceipt
        .parse(jsonIn(where, 'receipt.json'))
        .files.filter(({ name }) => /^(?:report|history)\./.test(name))
        .map(({ sha256 }) => sha256);
    expect(sumOf(folder).filter((sum) => sumOf(other).includes(sum))).toEqual([]);
  });

  it('decisions §19.3: an entry that was redacted says when, and the chain holds', async () => {
    const { owner, t } = world;
    t.clock.advance(86_400_000);
    await owner.delete(`${list}/${near_miss}/history/2`);
    const day = new Date(t.clock.now()).toISOString();
    const folder = await unpack(
      await fetchPack(await askPack(owner, near_miss, { with_names: true })),
    );
    const { entries } = jsonIn(folder, 'history.json');
    expect(entries[2]).toMatchObject({ redacted: true, redacted_on: day, changes: [], salt: null });
    expect(readFileSync(join(folder, 'report.html'), 'utf8')).toContain(
      `redacted on ${day.slice(0, 10)}`,
    );
    let before = '';
    for (const entry of entries.slice(1)) {
      before = hashOf(before, entry);
      expect(entry.hash).toBe(before);
    }
    expect(jsonIn(folder, 'receipt.json').history).toEqual({
      entries: entries.length - 1,
      hash: before,
    });
  });
});

describe('decisions §19.4: names', () => {
  it('decisions §19.4: without names, none of the record’s people is in any text of the pack', async () => {
    const folder = await unpack(await fetchPack(await askPack(world.owner, near_miss)));
    const texts = textsIn(folder);
    for (const name of PEOPLE) expect(texts).not.toContain(name);
    expect(texts).not.toContain(CANARY);
    const me = (await world.owner.get('/rest/v1.0/me')).json;
    expect(texts).not.toContain(me.name);
    expect(texts).not.toContain(me.login);
    expect(texts).toContain('[name]');
  });

  it('decisions §19.4: nor one that tags split, that a firm or machine has, or whom the record named before', async () => {
    const { owner } = world;
    const company = `/rest/v1.0/companies/${owner.company_id}`;
    await owner.post(`${company}/users`, { user: { login: 'tilda@x.example', name: 'Tilda Oxn' } });
    const person = await owner.post(`${company}/people`, { person: { name: 'Wendeline Ask' } });
    const by = fieldFor((await owner.get('~/catalog')).json, 'Follow-up by');
    const incident = { title: 'Of split names' };
    const incident_id = (await owner.post('~/incidents', { incident })).json.id as number;
    const firm = { name: 'Tilda Oxn Cranes' };
    const firm_id = (await owner.post(`${company}/affected_companies`, { affected_company: firm }))
      .json.id as number;
    const description =
      '<p>Til<b>da</b> Oxn, Tilda <i>Oxn</i>, <a href="mailto:tilda@x.example">mail</a>, Yorick</p>';
    const near_miss = { incident_id, affected_person_id: person.json.id, [by]: 'Yorick Hund' };
    const made = await owner.post(list, {
      near_miss: { ...near_miss, affected_company_id: firm_id, description },
    });
    expect(made.status, made.text).toBe(201);
    const id = made.json.id as number;
    const after = { affected_person_id: null, [by]: 'Zeno Klee', description: 'Wendeline, YORICK' };
    expect((await owner.patch(`${list}/${id}`, { near_miss: after })).status).toBe(200);
    const texts = textsIn(await unpack(await fetchPack(await askPack(owner, id))));
    expect(texts).not.toMatch(/tilda|oxn|wendeline|yorick|hund|zeno/i);
    expect(texts).toContain('[name] Cranes');
  });

  it.each(['Told by', 'Contado por', 'Nazwisko świadka', 'Zgłoszone przez'])(
    'decisions §19.4: a field for a person is known by its label in every language: %s',
    (label) => {
      const field: CustomFieldDefinition = {
        id: 7,
        label,
        data_type: 'string',
        options: [],
        required: false,
      };
      const { field: mask } = maskerOf([field], knownNames([]));
      expect(mask(customKey(field), 'Ulrike Sterz')).toBe('[name]');
    },
  );

  it('decisions §4.12, §19.4: a name in "Who saw it" and the answer code are masked; that somebody stays unnamed is not', async () => {
    const { owner } = world;
    const catalog = (await owner.get('~/catalog')).json;
    const [saw, code] = ['Who saw it', 'Answer code'].map((label) => fieldFor(catalog, label));
    const pack = async (who: string) => {
      const description = 'Ulrike saw it. Stays were cut.';
      const made = await owner.post(list, {
        near_miss: { incident_id: 1, description, [saw ?? '']: who, [code ?? '']: 'BCDFGH' },
      });
      expect(made.status, made.text).toBe(201);
      return textsIn(await unpack(await fetchPack(await askPack(owner, made.json.id as number))));
    };
    expect(await pack('Ulrike Sterz')).not.toMatch(/ulrike|sterz/i);
    const unnamed = await pack(UNNAMED);
    expect(unnamed).toContain(UNNAMED);
    expect(unnamed).toContain('[code]');
    expect(unnamed).not.toContain('BCDFGH');
    expect(unnamed).toContain('Stays were cut');
  });

  it('decisions §19.4: with names they are as written, in the language that was asked for', async () => {
    const evidence = { with_names: true, language: 'es' };
    const folder = await unpack(await fetchPack(await askPack(world.owner, near_miss, evidence)));
    const report = jsonIn(folder, 'report.json');
    expect(report.affected_person).toMatchObject({ name: 'Ottoline Vasquez' });
    expect(report.photos[0]).toMatchObject({ file: 'photos/1.jpg', filename: `${CANARY}.jpg` });
    const page = readFileSync(join(folder, 'report.html'), 'utf8');
    expect(page).toContain('<html lang="es">');
    expect(page).toContain('Persona afectada');
    expect(page).toContain('Quentin Zimmerli');
    expect(page).not.toContain('<script');
  });
});

describe('decisions §19.2: who gets a pack', () => {
  it('decisions §19.2: the address is signed, ends, and serves admins alone', async () => {
    const { t, colleague } = world;
    const { url } = await askPack(colleague, near_miss);
    expect((await fetch(url.replace('/masked-en?', '/names-en?'))).status).toBe(403);
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(405);
    const me = (await colleague.get('/rest/v1.0/me')).json.id as number;
    const user = `/rest/v1.0/companies/${colleague.company_id}/users/${me}`;
    await world.owner.patch(user, { user: { level: 'standard' } });
    onTestFinished(async () => {
      await world.owner.patch(user, { user: { level: 'admin' } });
    });
    expect((await fetch(url)).status).toBe(403);
    await world.owner.patch(user, { user: { level: 'admin' } });
    expect((await fetch(url)).status).toBe(200);
    t.clock.advance(600_001);
    expect((await fetch(url)).status).toBe(403);
  });

  it('decisions §19.2: bad input is a 422, another level a 403, a recycled near miss is evidence too', async () => {
    const { owner, t } = world;
    const path = `${list}/${near_miss}/evidence`;
    const bad = await owner.post(path, { evidence: { with_names: 'yes', language: 'de' } });
    expect([bad.status, Object.keys(bad.json.errors)]).toEqual([
      422,
      ['evidence.with_names', 'evidence.language'],
    ]);
    expect((await t.as('standard').post(path, {})).status).toBe(403);
    await owner.delete(`${list}/${near_miss}`);
    const { url } = await askPack(owner, near_miss);
    expect((await fetch(url)).status).toBe(200);
    await owner.patch(`~/recycle_bin/incidents/near_misses/${near_miss}/restore`, {});
  });
});

describe('decisions §19.1: keys', () => {
  it('decisions §19.1: an ended key stays published, and what it signed still verifies', async () => {
    const { owner, t } = world;
    const before = await fetchPack(await askPack(owner, near_miss));
    const rotated = await runCli(['signing-key', 'rotate', `--data-dir=${t.data_dir}`]);
    expect([rotated.code, rotated.stderr]).toEqual([0, '']);
    const made = JSON.parse(rotated.stdout) as SigningKey;
    const folder = await unpack(await fetchPack(await askPack(owner, near_miss)));
    expect(jsonIn(folder, 'receipt.json').key_id).toBe(made.id);
    expect((await openssl(folder)).code).toBe(0);
    const [old, current] = await keysOf(t.url);
    expect(old).toMatchObject({ until: made.from });
    expect(current).toEqual(made);
    const earlier = await unpack(before);
    expect(readFileSync(join(earlier, 'public-key.pem'), 'utf8')).toBe(old?.public_key);
    expect((await openssl(earlier)).code).toBe(0);
    const acts = await owner.get(`/rest/v1.0/companies/${owner.company_id}/admin_acts?per_page=50`);
    expect(acts.json).toContainEqual(
      expect.objectContaining({
        act: 'signing_key_rotated',
        user: null,
        details: { key_id: made.id, replaced_key_id: old?.id },
      }),
    );
  });

  it('decisions §19.1: keys survive a restart; with another webhook.key there is no pack, and nothing is logged', async () => {
    const t = await startTestService();
    onTestFinished(() => t.stop());
    const keys = await keysOf(t.url);
    await t.restart();
    expect(await keysOf(t.url)).toEqual(keys);
    rmSync(join(t.data_dir, 'webhook.key'));
    await t.restart();
    const incident_id = (await t.demo.post('~/incidents', { incident: { title: 'x' } })).json.id;
    const made = await t.demo.post(list, { near_miss: { incident_id, description: 'x' } });
    const refused = await t.demo.post(`${list}/${made.json.id}/evidence`, {});
    expect([refused.status, refused.text]).toEqual([503, expect.stringContaining('signing key')]);
    const log = await t.demo.get(`/rest/v1.0/companies/${t.demo.company_id}/admin_acts`);
    expect(log.json).toEqual([]);
    expect(await keysOf(t.url)).toEqual(keys);
  });

  it('decisions §19: with --plain there is no key, pack or log', async () => {
    const t = await startTestService({ plain: true });
    onTestFinished(() => t.stop());
    expect((await fetch(`${t.url}/rest/v1.0/signing_keys`)).status).toBe(404);
    const rows = await t.database.query('select id from signing_keys');
    expect(rows).toEqual([]);
  });
});
