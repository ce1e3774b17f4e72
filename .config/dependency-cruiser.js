/**
 * Who may import whom, type imports included; `npm run check` refuses all else, and every circle. The rooms are those of
 * README.md; each room's README says why. test/setup/rooms.test.ts plants what is forbidden, and compares these tables with
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

/** Inside a room: a folder, and what else of the room its files may import. */
export const folders = {
  'renderer/parts': [],
  'renderer/words': [],
  'renderer/host': [],
  'renderer/photos': ['host', 'data'],
  'renderer/entries': ['photos'],
  'renderer/data': ['host', 'photos', 'entries', 'outbox'],
  'renderer/outbox': ['host', 'photos', 'entries', 'data', 'lockdown.ts'],
  'renderer/state': ['host', 'photos', 'data', 'outbox', 'words', 'parts', 'router.ts'],
  'renderer/screens': [
    'photos',
    'entries',
    'data',
    'outbox',
    'state',
    'parts',
    'words',
    'router.ts',
    'places.ts',
    'licences.json',
  ],
  'service/store': ['options.ts'],
  'service/domain': ['store', 'files', 'options.ts'],
  'service/files': ['store', 'domain', 'options.ts'],
  'service/webhooks': ['store', 'domain', 'options.ts'],
  'service/routes': ['store', 'domain', 'files', 'webhooks', 'app.ts'],
};

/** The company's wing in the window: whoever works on near misses need not enter it. */
const wing = '^src/renderer/(?:data|entries|screens|outbox/operations)/company/';

/** Who enters it all the same: the lists of all kinds and places, and what asks of everything that waits. */
export const visitors = [
  'places.ts',
  'entries/entry.ts',
  'outbox/operations/index.ts',
  'data/db.ts',
  'data/lanes.ts',
  'outbox/export-file.ts',
  'outbox/export.ts',
  'outbox/import-plan.ts',
  'outbox/queue.ts',
  'state/waiting-by-project.ts',
  'screens/waiting/company.ts',
  'screens/waiting/item-text.ts',
];

/** The packages that a room may import, where these are few. */
const packages = {
  contract: ['zod', '@noble/ciphers', '@noble/hashes'],
  disk: [],
  preload: ['electron'],
};

/** Matches each of the names as a whole: of a folder, a file or a package. */
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
        'The same; but a screen is loaded when it is first opened (places.ts) and may itself lead to another place.',
      severity: 'error',
      from: { path: '^src/renderer/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['dynamic-import'] } },
    },
    {
      name: 'what is imported is there',
      severity: 'error',
      from: {},
      // svelte/elements declares types and has no file to load; what the package's program starts is built before it is packed.
      to: { couldNotResolve: true, pathNot: ['^svelte/elements$', 'out/node/npx\\.js$'] },
    },
    ...betweenRooms,
    ...insideRooms,
    ...outside,
    {
      name: 'who enters the wing of the company is listed',
      comment: 'Put what is general outside of it, or add the file to `visitors` with the others.',
      severity: 'error',
      from: { path: '^src/renderer/', pathNot: [wing, `^src/renderer/${any(visitors)}`] },
      to: { path: wing },
    },
    refused(
      'screens drive no engine',
      'Screens put into the queue; the engine sends.',
      '^src/renderer/screens/',
      { path: '^src/renderer/outbox/(?:engine|lanes|operations/)' },
    ),
    refused(
      'the queue is handed its history',
      'Whoever starts the window hands it over (QueueHistory in data/db.ts).',
      '^src/renderer/outbox/',
      { path: '^src/renderer/data/history\\.ts$' },
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
