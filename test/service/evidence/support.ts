/** A near miss with names in every place that has one, and its evidence pack, unpacked. */
import { execFile } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { Uint8ArrayReader, Uint8ArrayWriter, ZipReader, ZipWriter } from '@zip.js/zip.js';
import { expect, onTestFinished } from 'vitest';
import type { Evidence } from '../../../src/contract/rest/evidence/evidence.ts';
import type { Client } from '../../support/service.ts';
import { sendFile } from '../matrix-world.ts';
import { fieldFor, list } from '../near-miss-records.ts';

const runFile = promisify(execFile);

/** Runs a program in a folder. @returns its exit code and output */
export const runIn = async (
  cwd: string,
  program: string,
  ...argv: readonly string[]
): Promise<{ readonly code: number; readonly output: string }> => {
  try {
    const { stdout, stderr } = await runFile(program, argv, { cwd });
    return { code: 0, output: stdout + stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, output: stdout + stderr };
  }
};

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'spotter-evidence-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

export const askPack = async (client: Client, id: number, evidence: object = {}) => {
  const answer = await client.post(`${list}/${id}/evidence`, { evidence });
  expect(answer.status, answer.text).toBe(201);
  return answer.json as Evidence;
};

export const fetchPack = async ({ url }: Evidence): Promise<Buffer> => {
  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/zip');
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(String(bytes.length)).toBe(answer.headers.get('content-length'));
  return bytes;
};

/** A folder with the files of a pack, read by another library than the verifier's. */
export const unpack = async (pack: Uint8Array): Promise<string> => {
  const folder = temporaryFolder();
  const zip = new ZipReader(new Uint8ArrayReader(pack));
  for (const entry of await zip.getEntries()) {
    if (entry.directory) continue;
    const path = join(folder, entry.filename);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, await entry.getData(new Uint8ArrayWriter(), { checkSignature: true }));
  }
  await zip.close();
  return folder;
};

/** The files of a folder as a ZIP, compressed, as a person makes it who removed some. */
export const packAgain = async (folder: string): Promise<Buffer> => {
  const zip = new ZipWriter(new Uint8ArrayWriter());
  for (const name of namesIn(folder).filter((one) => statSync(join(folder, one)).isFile()))
    await zip.add(name, new Uint8ArrayReader(readFileSync(join(folder, name))));
  return Buffer.from(await zip.close());
};

export const namesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

export const jsonIn = (folder: string, name: string) =>
  // Tests assert its shape.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  JSON.parse(readFileSync(join(folder, name), 'utf8')) as any;

/** All texts of a pack, for a search. */
export const textsIn = (folder: string): string =>
  namesIn(folder)
    .filter((name) => /\.(?:txt|json|html|pem)$|SUMS$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

/** People of the story. None of these words occurs in anything else that a pack holds. */
export const PEOPLE = ['Quentin', 'Zimmerli', 'Ottoline', 'Vasquez', 'quentin.z@example.com'];

/** A near miss whose every place for a name has one, with a photo and a history. */
export const makeNamed = async (admin: Client): Promise<number> => {
  const company = `/rest/v1.0/companies/${admin.company_id}`;
  const login = 'quentin.z@example.com';
  await admin.post(`${company}/users`, { user: { login, name: 'Quentin Zimmerli' } });
  const person = (await admin.post(`${company}/people`, { person: { name: 'Ottoline Vasquez' } }))
    .json.id as number;
  const catalog = (await admin.get('~/catalog')).json;
  const by = fieldFor(catalog, 'Follow-up by');
  const incident = { title: 'Crane of Quentin Zimmerli' };
  const incident_id = (await admin.post('~/incidents', { incident })).json.id as number;
  const near_miss = {
    incident_id,
    affected_person_id: person,
    description:
      '<p>Ottoline slipped. Quentin <b>Zimmerli</b> saw it & wrote to quentin.z@example.com</p>',
    [by]: 'Quentin Zimmerli',
    upload_uuids: [await sendFile(admin)],
  };
  const made = await admin.post(list, { near_miss });
  expect(made.status, made.text).toBe(201);
  const id = made.json.id as number;
  const change = (description: string) =>
    admin.patch(`${list}/${id}`, { near_miss: { description } });
  await change('Ottoline Vasquez slipped on <script>alert(1)</script> oil');
  await change('Somebody slipped on oil');
  return id;
};
