/**
 * `npm run package` (src/setup/package.ts): what is in a package of the Electron app, for each system. The archive holds
 * out/, package.json and the packages that main and service need at run time on that system; what a system loads by its path
 * (.node, .so, .dylib, .dll), and libheif and libvips, which anybody may replace (LGPL), lie beside it, unpacked.
 */
const camera = 'Spotter takes photos for the near miss that you are reporting.';
const localNetwork = 'Spotter sends your reports to a server of your company’s network.';

/** Patterns of what a package brings for its makers or for other systems. */
const notShipped = [
  '!**/*.{ts,mts,cts,tsx,map,c,cc,cpp,h,hpp,gyp,gypi,md,markdown,flow,yml,yaml,tsbuildinfo,bench.js,test.js}',
  '!**/node_modules/**/{test,tests,__tests__,benchmark,benchmarks,bench,example,examples,docs,doc,.github,coverage}/**',
  '!**/node_modules/**/{README,Readme,readme,CHANGELOG,Changelog,changelog,HISTORY,SECURITY,CONTRIBUTING}*',
  '!**/node_modules/**/.*',
  '!**/node_modules/.bin/**',
  '!out/**/.vite/**',
  // Of the npm package.
  '!out/node/**',
  // The bundlers' copies of what Node loads as CommonJS.
  '!**/node_modules/@{aws-sdk,smithy,aws-crypto}/**/dist-{es,types}/**',
  '!**/node_modules/better-sqlite3/{deps,src}/**',
  // What npm put into build/ is for the machine that packs.
  '!**/node_modules/keytar/{src,script,build}/**',
  // The service takes the file for Node, and neither JPEG XL nor SVG; of libheif what is WebAssembly beside its script.
  '!**/node_modules/wasm-vips/lib/{vips.js,vips-es6.js,vips-node.js,vips-jxl.wasm,vips-resvg.wasm}',
  '!**/node_modules/libheif-js/{libheif,index.js,wasm-bundle.js}{,/**}',
  '!**/node_modules/libheif-js/libheif-wasm/libheif-bundle.*',
  // Of the browser shell and of `npm start` only.
  '!node_modules/@fastify/{cookie,static,send}/**',
];

/** Both carry their built file for every system and processor. @param system pattern of those that go into a package */
const nativesOf = (system) => [
  `!**/node_modules/better-sqlite3/prebuilds/!(${system}.node)`,
  `!**/node_modules/keytar/prebuilds/!(${system})/**`,
];

export default {
  // Said to Windows at each start too (src/main/app-id.ts).
  appId: 'app.spotter.desktop',
  productName: 'Spotter',
  copyright: 'MIT licence',
  directories: { output: 'dist', buildResources: 'resources' },
  files: ['out/**', 'package.json', ...notShipped],
  asar: true,
  asarUnpack: [
    '**/*.{node,so,so.*,dylib,dll}',
    'out/renderer/libheif.js',
    '**/node_modules/{wasm-vips,libheif-js}/**',
  ],
  extraFiles: [{ from: 'node_modules/.cache/package', to: '.' }],
  electronLanguages: ['en', 'en-US', 'en-GB', 'es', 'es-419'],
  // A folder instead of a download, as everywhere else (src/setup/electron.ts).
  ...(process.env.ELECTRON_OVERRIDE_DIST_PATH
    ? { electronDist: process.env.ELECTRON_OVERRIDE_DIST_PATH }
    : {}),
  // Every native part is Node-API and comes built.
  npmRebuild: false,
  nodeGypRebuild: false,
  // Where installed programs look for a newer one; named for a build, and nowhere without it (src/main/update-feed.ts).
  publish: process.env.SPOTTER_UPDATE_FEED
    ? { provider: 'generic', url: process.env.SPOTTER_UPDATE_FEED }
    : null,
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableCookieEncryption: true,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  },
  protocols: [{ name: 'Spotter', schemes: ['spotter'] }],
  win: {
    files: nativesOf('${platform}-${arch}'),
    target: [{ target: 'nsis', arch: ['x64', 'arm64'] }],
    icon: 'resources/icon.ico',
  },
  nsis: {
    oneClick: false,
    // For the user alone; for all of a computer where that is chosen (/allusers, /S for nobody to ask).
    perMachine: false,
    selectPerMachineByDefault: false,
    allowElevation: true,
    allowToChangeInstallationDirectory: false,
    // Queue, photos and settings are the user's, not the program's.
    deleteAppDataOnUninstall: false,
    include: '.config/windows/open-with.nsh',
  },
  mac: {
    // One package for both processors is made of two, which must hold the same files: each holds both built files, as they are.
    files: nativesOf('darwin-*'),
    x64ArchFiles: '**/prebuilds/**',
    target: [
      { target: 'dmg', arch: 'universal' },
      { target: 'zip', arch: 'universal' },
    ],
    icon: 'resources/icon.icns',
    category: 'public.app-category.business',
    minimumSystemVersion: '13.0',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: '.config/macos/entitlements.plist',
    entitlementsInherit: '.config/macos/entitlements.plist',
    // Apple's service is asked only where the environment holds the keys for it.
    notarize: Boolean(process.env.APPLE_API_KEY ?? process.env.APPLE_ID),
    extendInfo: {
      NSCameraUsageDescription: camera,
      // Asked by macOS 15 and newer where the server, or a phone that sends photos, is in the same network.
      NSLocalNetworkUsageDescription: localNetwork,
    },
    // Offered under "Open With": a zip is an archive to everybody else.
    fileAssociations: [{ ext: 'zip', name: 'Spotter export', role: 'Viewer', rank: 'Alternate' }],
    extraResources: [
      { from: '.config/macos/en.lproj', to: 'en.lproj' },
      { from: '.config/macos/es.lproj', to: 'es.lproj' },
    ],
  },
  // No switch in its desktop entry that takes the sandbox away.
  appImage: { executableArgs: [] },
  linux: {
    files: nativesOf('${platform}-${arch}'),
    target: ['AppImage', 'deb', 'rpm'],
    icon: 'resources/window/icon.png',
    category: 'Office',
    executableName: 'spotter',
    // The desktop entry is called as package.json says and Electron tells the desktop: keys of the system and the dock ask for it.
    syncDesktopName: true,
    mimeTypes: ['application/zip'],
    maintainer: 'Spotter <spotter@localhost>',
    vendor: 'Spotter',
    synopsis: 'Near misses, captured where there is no network',
    desktop: {
      entry: {
        Name: 'Spotter',
        Comment: 'Near misses, captured where there is no network',
        'Comment[es]': 'Casi accidentes, registrados donde no hay red',
      },
    },
  },
};
