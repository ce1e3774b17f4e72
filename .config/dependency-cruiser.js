/**
 * Allowed imports between rooms, type imports included; `npm run check` refuses all others, and every cycle. The rooms are
 * those of README.md; each room's README says why. test/setup/rooms.test.ts plants violations, and compares these tables with
 * README.md, the rooms' tsconfig.json and the window's README.md.
 */
export const rooms = {
  contract: [],
  disk: [],
  service: ['contract', 'disk'],
  host: ['contract', 'disk'],
  phone: ['contract'],
  renderer: ['contract'],
  preload: ['contract'],
  main: ['contract', 'host', 'service'],
  browser: ['contract', 'disk', 'host', 'service', 'setup'],
  setup: [],
};

/** Inside a room: each folder, and the other parts of the room that its files may import. */
export const folders = {
  'renderer/parts': [],
  'renderer/words': [],
  'renderer/host': [],
  'renderer/photos': ['host', 'data'],
  'renderer/operations': ['photos'],
  'renderer/data': ['host', 'photos', 'operations', 'outbox'],
  'renderer/outbox': ['host', 'photos', 'operations', 'data', 'lockdown.ts'],
  'renderer/state': ['host', 'photos', 'data', 'outbox', 'words', 'parts', 'router.ts'],
  'renderer/near-miss-form': ['data', 'outbox', 'state', 'words', 'operations'],
  'renderer/screens': [
    'photos',
    'operations',
    'data',
    'outbox',
    'state',
    'near-miss-form',
    'parts',
    'words',
    'router.ts',
    'routes.ts',
    'licences.json',
  ],
  'service/store': ['options.ts'],
  'service/domain': ['store', 'files', 'options.ts'],
  'service/files': ['store', 'domain', 'options.ts'],
  'service/delivery': [],
  'service/webhooks': ['store', 'domain', 'delivery', 'options.ts'],
  'service/mail': ['store', 'domain', 'delivery', 'files', 'options.ts'],
  'service/routes': ['store', 'domain', 'files', 'webhooks', 'mail', 'app.ts'],
};

/** The window's company module, which other near-miss code need not import. */
const companyModule = '^src/renderer/(?:data|operations|screens|outbox/handlers)/company/';

/** Exceptions that may import it: the lists of all kinds and routes, and code for every queued entry. */
export const importers = [
  'routes.ts',
  'operations/operation.ts',
  'outbox/handlers/index.ts',
  'data/db/db.ts',
  'data/model/lanes.ts',
  'outbox/transfer/export-file.ts',
  'outbox/transfer/import-plan.ts',
  'outbox/queue/queue.ts',
  'state/session/waiting-by-project.ts',
  'screens/settings/Connection.svelte',
  'screens/waiting/company.ts',
  'screens/waiting/item/item-text.ts',
];

/** The packages that a room may import, where these are few. */
const packages = {
  contract: ['zod', '@noble/ciphers', '@noble/hashes'],
  disk: [],
  preload: ['electron'],
};

/** Matches each name as a whole: a folder, a file or a package. */
const any = (names) =>
  names.length === 0
    ? '$.'
    : `(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})(?:/|$)`;

const refused = (name, comment, from, to) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to,
});

const betweenRooms = Object.entries(rooms).map(([room, others]) =>
  refused(
    `${room} imports ${others.join(', ') || 'no other room'}`,
    'The table of rooms in README.md says who may import whom.',
    `^src/${room}/`,
    { path: '^src/', pathNot: `^src/${any([room, ...others])}` },
  ),
);

const insideRooms = Object.entries(folders).map(([folder, others]) => {
  const [room, own] = folder.split('/');
  return refused(
    `${folder} imports ${others.join(', ') || 'no other folder'}`,
    `What the folder needs of the others of its room, its caller gives: see src/${room}/README.md.`,
    `^src/${folder}/`,
    { path: `^src/${room}/`, pathNot: `^src/${room}/${any([own, ...others])}` },
  );
});

const outside = Object.entries(packages).map(([room, names]) =>
  refused(
    `${room} takes ${names.join(', ') || 'no package'}`,
    'The room is small on purpose: see its README.md.',
    `^src/${room}/`,
    { path: 'node_modules/', pathNot: `node_modules/${any(names)}` },
  ),
);

export default {
  forbidden: [
    {
      name: 'no circle',
      comment: 'Files that import each other are one file: put what both need into a third.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/renderer/' },
      to: { circular: true },
    },
    {
      name: 'no circle in the window',
      comment:
        'The same; but a screen is loaded when it is first opened (routes.ts) and may itself lead to another place.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'what is imported is there',
      severity: 'error',
      from: {},
      // svelte/elements declares only types and has no file to load; the package's program starts a file that is built before
      // packing.
      to: { couldNotResolve: true, pathNot: ['^svelte/elements$', 'out/node/(npx|service)\\.js$'] },
    },
    ...betweenRooms,
    ...insideRooms,
    ...outside,
    {
      name: 'importers of the company module are listed',
      comment: 'Put what is general outside of it, or add the file to `importers` with the others.',
      severity: 'error',
      from: { path: '^src/renderer/', pathNot: [companyModule, `^src/renderer/${any(importers)}`] },
      to: { path: companyModule },
    },
    refused(
      'screens drive no engine',
      'Screens put into the queue; the engine sends.',
      '^src/renderer/screens/',
      { path: '^src/renderer/outbox/(?:engine/|queue/lanes|handlers/)' },
    ),
    refused(
      'the queue is handed its history',
      'Whoever starts the window hands it over (QueueHistory in data/db/db.ts).',
      '^src/renderer/outbox/',
      { path: '^src/renderer/data/near-misses/history\\.ts$' },
    ),
    refused(
      'the window and the contract have no Node',
      'A window is a browser.',
      '^src/(?:contract|renderer|preload|phone)/',
      {
        dependencyTypes: ['core'],
      },
    ),
    refused(
      'domain holds the rules',
      'No SQL and no HTTP: store/ has the one, routes/ and http/ the other.',
      '^src/service/domain/',
      { path: 'node_modules/(?:fastify|kysely|better-sqlite3|pg)/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['svelte', 'import', 'default'],
    },
  },
};
