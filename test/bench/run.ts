/**
 * `npm run bench [names]`: all measurements, most with a peer, one file each in this folder, in the order of this list.
 * `--table` shows their results. A case measures itself and its peer alternately and prints both with their ratio; nothing here
 * asserts a time. A failing case is reported at the end and stops no other.
 */
import { beside } from './beside.ts';
import { capture } from './capture.ts';
import { create, createAway } from './create.ts';
import { cutUploads } from './cut-uploads.ts';
import { drain } from './drain.ts';
import { growth } from './growth.ts';
import { list } from './list.ts';
import { page } from './page.ts';
import { queue } from './queue.ts';
import { refresh } from './refresh.ts';
import { start } from './start.ts';
import { table } from './table.ts';
import { uploads } from './uploads.ts';
import { webhooks } from './webhooks.ts';

interface Case {
  readonly name: string;
  run(): Promise<void>;
}

const cases: readonly Case[] = [
  { name: 'uploads', run: uploads },
  { name: 'cut-uploads', run: cutUploads },
  { name: 'capture', run: capture },
  { name: 'create', run: create },
  { name: 'create-3ms', run: createAway },
  { name: 'page', run: page },
  { name: 'beside', run: beside },
  { name: 'growth', run: growth },
  { name: 'start', run: start },
  { name: 'webhooks', run: webhooks },
  { name: 'drain', run: drain },
  { name: 'list', run: list },
  { name: 'queue', run: queue },
  { name: 'refresh', run: refresh },
];

const wanted = process.argv.slice(2);
const chosen = cases.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
const strangers = wanted.filter((name) => !cases.some((one) => one.name === name));
if (wanted[0] === '--table') console.log(table());
else if (strangers.length > 0)
  console.log(
    `No benchmark is called "${strangers.join('", "')}". There are: ${cases.map(({ name }) => name).join(', ')}`,
  );
else {
  const broken: Error[] = [];
  for (const { name, run } of chosen)
    await run().catch((cause: unknown) => broken.push(new Error(`${name} broke`, { cause })));
  if (broken.length > 0) throw new AggregateError(broken);
}
