/**
 * `npm run bench [name]`: every measurement, most of them with a peer, one file each beside this one, in the order of this list.
 * `--table` shows what they left. A case measures itself and its peer in turns and prints both with their ratio; nothing here asserts a time.
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

const wanted = process.argv[2];
const chosen = cases.filter(({ name }) => wanted === undefined || name === wanted);
if (wanted === '--table') console.log(table());
else if (chosen.length === 0)
  console.log(
    `No benchmark is called "${wanted}". There are: ${cases.map(({ name }) => name).join(', ')}`,
  );
for (const one of chosen) await one.run();
