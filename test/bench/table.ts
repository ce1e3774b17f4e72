/**
 * `npm run bench -- --table`: the results in out/bench as a Markdown table, each with its goal: ours, the peer, their ratio,
 * whether the goal is reached, and the machine's other load. figures.md shows a snapshot of it.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median, results } from './machine.ts';

interface Kept {
  readonly at: string;
  readonly machine: string;
  readonly rounds?: number;
}

/** Result of `compare`: rates, ours first. */
interface Rates extends Kept {
  readonly unit: string;
  readonly rows: readonly { name: string; median: number; min: number; max: number }[];
  readonly figures: Readonly<Record<string, readonly { noise: number }[]>>;
}

interface Line {
  readonly what: string;
  readonly ours: string;
  readonly peer: string;
  /** The value that the goal refers to, as text. */
  readonly ratio: string;
  readonly goal: string;
  readonly reached: boolean | null;
  readonly noise: number | null;
}

const kept = <T extends Kept>(name: string): T | null => {
  const path = join(results, `${name}.json`);
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null;
};

const short = (value: number): string => {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
};

interface Against {
  /** Prefix of our row's name; default: the first row. */
  readonly ours?: string;
  readonly peer: string;
  /** Minimum ratio to the peer's rate. */
  readonly goal: number;
}

/** One line per peer with a goal. */
const ratesOf = (what: string, name: string, against: readonly Against[]): readonly Line[] => {
  const all = kept<Rates>(name);
  if (all === null) return [];
  return against.flatMap(({ ours, peer, goal }): Line[] => {
    const mine = all.rows.find((row) => ours === undefined || row.name.startsWith(ours));
    const other = all.rows.find((row) => row.name.startsWith(peer));
    if (mine === undefined || other === undefined) return [];
    const ratio = mine.median / other.median;
    const told = (row: typeof mine) =>
      `${short(row.median)} ${all.unit} (${short(row.min)}–${short(row.max)})`;
    const noises = (all.figures[mine.name] ?? []).map((figure) => figure.noise);
    return [
      {
        what: ours === undefined ? what : `${what}, ${mine.name.replace('Spotter on ', '')}`,
        ours: told(mine),
        peer: `${other.name}: ${told(other)}`,
        ratio: `${ratio.toFixed(2)} x`,
        goal: `≥ ${goal} x`,
        reached: ratio >= goal,
        noise: noises.length > 0 ? median(noises) : null,
      },
    ];
  });
};

/**
 * B4 with PostgreSQL three milliseconds away (`create-3ms`): the goal is in records, next to the peer's rate of single rows at
 * the same distance.
 */
const distant = (): readonly Line[] =>
  ratesOf('B4 create, 3 ms to the database', 'create-3ms', [
    { peer: 'Fastify, one jsonb row', goal: 0 },
  ]).map((line) => {
    const rate = kept<Rates>('create-3ms')?.rows[0]?.median ?? 0;
    return { ...line, goal: '≥ 500 req/s', reached: rate >= 500 };
  });

const uploadPeers: readonly Against[] = [
  { peer: 'tus-js-client', goal: 1 },
  { peer: 'AWS SDK', goal: 2.5 },
];

const fastify = (goal: number): readonly Against[] =>
  ['SQLite', 'PostgreSQL'].map((engine) => ({
    ours: `Spotter on ${engine}`,
    peer: 'Fastify in memory',
    goal,
  }));

const cutUploads = (name: string, over: string): readonly Line[] => {
  const all = kept<
    Kept & { rows: { name: string; seconds: number; sent: number; noise: number }[] }
  >(name);
  const [ours, peer] = all?.rows ?? [];
  if (!ours || !peer) return [];
  const line = { what: `B2 256 MiB, cut once a second, ${over}`, noise: ours.noise };
  return [
    {
      ...line,
      ours: `${short(ours.seconds)} s`,
      peer: `tus: ${short(peer.seconds)} s`,
      ratio: `${(peer.seconds / ours.seconds).toFixed(2)} x as fast`,
      goal: 'first',
      reached: ours.seconds <= peer.seconds,
    },
    {
      ...line,
      ours: `${ours.sent.toFixed(3)} bytes sent for each`,
      peer: `tus: ${peer.sent.toFixed(3)}`,
      ratio: ours.sent.toFixed(3),
      goal: '≤ 1.05, and fewer',
      reached: ours.sent <= 1.05 && ours.sent <= peer.sent,
    },
  ];
};

const growth = (): readonly Line[] => {
  const all = kept<
    Kept & { sizes: number[]; figures: Record<string, { median: number; times: number }> }
  >('growth');
  if (all === null) return [];
  const largest = Math.max(...all.sizes);
  const asked = [
    ['first page', 1.5],
    ['page 100', 3],
  ] as const;
  return ['SQLite', 'PostgreSQL'].flatMap((engine) =>
    asked.flatMap(([question, goal]): Line[] => {
      const one = all.figures[`${engine}, ${largest}, ${question}`];
      const small = all.figures[`${engine}, ${Math.min(...all.sizes)}, ${question}`];
      if (!one || !small) return [];
      return [
        {
          what: `B6 ${question}, ${engine}, ${largest.toLocaleString('en')} near misses`,
          ours: `${short(one.median)} ms`,
          peer: `with ${Math.min(...all.sizes).toLocaleString('en')}: ${short(small.median)} ms`,
          ratio: `${one.times.toFixed(2)} x`,
          goal: `≤ ${goal} x`,
          reached: one.times <= goal,
          noise: null,
        },
      ];
    }),
  );
};

const capture = (): readonly Line[] => {
  const all = kept<Kept & { noises: number[]; rows: { name: string; p95: number }[] }>('capture');
  const [ours, peer] = all?.rows ?? [];
  if (!all || !ours || !peer) return [];
  const ratio = ours.p95 / peer.p95;
  return [
    {
      what: 'B7 Save until it is said, 95 of 100',
      ours: `${short(ours.p95)} ms`,
      peer: `raw put, strict: ${short(peer.p95)} ms`,
      ratio: `${ratio.toFixed(2)} x`,
      // The goal allows one more fsync: about half of a strict put.
      goal: '≤ 2 x and an fsync',
      reached: ratio <= 2.5,
      noise: median(all.noises),
    },
  ];
};

/** Rows with a maximum in milliseconds. */
const timesOf = (
  file: string,
  lines: readonly (readonly [row: string, what: string, goal: number])[],
): readonly Line[] => {
  const all = kept<Kept & { rows: { name: string; median: number; min: number; max: number }[] }>(
    file,
  );
  return lines.flatMap(([name, what, goal]): Line[] => {
    const row = all?.rows.find((one) => one.name === name);
    if (!row) return [];
    return [
      {
        what,
        ours: `${short(row.median)} ms (${short(row.min)}–${short(row.max)})`,
        peer: '',
        ratio: '',
        goal: `≤ ${goal} ms`,
        reached: row.median <= goal,
        noise: null,
      },
    ];
  });
};

const start = (): readonly Line[] => {
  const all = kept<Kept & { rows: { name: string; ms: number; rss_mb: number }[] }>('start');
  if (all === null) return [];
  const of = (name: string) => all.rows.find((row) => row.name === name);
  const [ours, peer, host] = [of('Spotter as it ships, again'), of('json-server'), of('the host')];
  if (!ours || !host) return [];
  const line = { peer: '', noise: null, ratio: '' };
  return [
    {
      ...line,
      what: 'B9 from spawn to listening, as it ships',
      ours: `${short(ours.ms)} ms`,
      ...(peer
        ? {
            peer: `json-server: ${short(peer.ms)} ms`,
            ratio: `${(peer.ms / ours.ms).toFixed(2)} x as fast`,
          }
        : {}),
      goal: 'first',
      reached: peer ? ours.ms <= peer.ms : null,
    },
    {
      ...line,
      what: 'Service left alone, as it ships',
      ours: `${ours.rss_mb} MB`,
      goal: '≤ 120 MB',
      reached: ours.rss_mb <= 120,
    },
    {
      ...line,
      what: 'Host left alone, as it ships',
      ours: `${host.rss_mb} MB`,
      goal: '≤ 90 MB',
      reached: host.rss_mb <= 90,
    },
  ];
};

const besides = (): readonly Line[] => {
  const all = kept<Kept & { rows: { name: string; p50: number; noise: number }[] }>('beside');
  const of = (name: string) => all?.rows.find((row) => row.name === name);
  return ['create', '/me'].flatMap((what): Line[] => {
    const [ours, alone] = [of(`SQLite, ${what}, beside a sort`), of(`SQLite, ${what}, alone`)];
    if (!ours || !alone) return [];
    return [
      {
        what: `${what} beside a sort of 100,000, SQLite`,
        ours: `${short(ours.p50)} ms`,
        peer: `alone: ${short(alone.p50)} ms`,
        ratio: `${(ours.p50 / alone.p50).toFixed(2)} x`,
        goal: '',
        reached: null,
        noise: ours.noise,
      },
    ];
  });
};

const lines = (): readonly Line[] => [
  ...ratesOf('B1 64 photos of 4 MiB', 'uploads-photos', uploadPeers),
  ...ratesOf('B1 one file of 256 MiB', 'uploads-large', uploadPeers),
  ...ratesOf('B1 the photos over 1 Gbit/s', 'uploads-gigabit', [
    { peer: 'tus-js-client', goal: 0.98 },
  ]),
  ...cutUploads('cut-uploads', 'loopback'),
  ...cutUploads('cut-uploads-64', '64 MB/s'),
  ...ratesOf('B3 1,000 near misses drained', 'drain', [
    { peer: 'Workbox', goal: 25 },
    { peer: 'PouchDB', goal: 2.5 },
  ]),
  ...ratesOf('B4 create', 'create', [
    ...fastify(0.7),
    { ours: 'Spotter on PostgreSQL', peer: 'Fastify, one jsonb row', goal: 1.7 },
  ]),
  ...distant(),
  ...ratesOf('B5 list of 100', 'page-100', fastify(1)),
  ...ratesOf('B5 list of 10,000', 'page-10000', fastify(1)),
  ...growth(),
  ...capture(),
  ...timesOf('list', [
    ['first page, the list opened first', 'B8 first page of 100,000', 100],
    ['search, one fits', 'B8 search, one fits', 150],
    ['search, a fifth fits', 'B8 search, a fifth fits', 150],
    ['scroll: longest_task_ms', 'B8 longest task while scrolling', 50],
    ['the window opens, until its list is there', 'Window opens over 100,000', 1500],
  ]),
  ...start(),
  ...ratesOf('B10 10,000 webhook events', 'webhooks', [
    { ours: 'Spotter on SQLite', peer: 'a loop', goal: 0.5 },
    { ours: 'Spotter on PostgreSQL', peer: 'a loop', goal: 0.5 },
  ]),
  ...besides(),
];

const MEASUREMENTS = [
  'uploads-photos',
  'uploads-large',
  'cut-uploads',
  'cut-uploads-64',
  'drain',
  'create',
  'create-3ms',
  'page-100',
  'page-10000',
  'growth',
  'capture',
  'list',
  'start',
  'webhooks',
  'beside',
] as const;

export const table = (): string => {
  const all = MEASUREMENTS.flatMap((name) => kept(name) ?? []);
  const days = [...new Set(all.map(({ at }) => at.slice(0, 10)))].join(', ');
  const machines = [...new Set(all.map(({ machine }) => machine))].join('; ');
  const rounds = [...new Set(all.flatMap((one) => one.rounds ?? []))].join(', ');
  const rows = lines().map(({ what, ours, peer, ratio, goal, reached, noise }) => {
    const said = reached === null ? '' : reached ? 'yes' : '**no**';
    return `| ${[what, ours, peer, ratio, goal, said, noise === null ? '' : String(noise)].join(' | ')} |`;
  });
  return [
    `${days}; ${machines}; medians (least–most) of ${rounds} rounds, in turns.`,
    '',
    '| what | ours | the other | ratio | goal | reached | other load, cores |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
  ].join('\n');
};
