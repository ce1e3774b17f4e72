/**
 * `npm run package` (src/setup/package/package.ts): the contents of the Electron app's package, per system. The archive holds out/,
 * package.json and the runtime packages of main and service for that system. Files that a system loads by path (.node, .so,
 * .dylib, .dll), and libheif and libvips, which users may replace (LGPL), stay next to the archive, unpacked.
 */
const camera = 'Spotter takes photos for the near miss that you are reporting.';
const localNetwork = 'Spotter sends your reports to a server of your company’s network.';

const updateFeed = process.env.SPOTTER_UPDATE_FEED;
if (updateFeed && !updateFeed.startsWith('https://'))
  throw new Error(
    `SPOTTER_UPDATE_FEED must be an https:// address, and is ${updateFeed}. Unsigned packages trust that line alone.`,
  );

/** Files of packages for their developers or for other systems. */
const notShipped = [
  '!**/*.{ts,mts,cts,tsx,map,c,cc,cpp,h,hpp,gyp,gypi,md,markdown,flow,yml,yaml,tsbuildinfo,bench.js,test.js}',
  '!**/node_modules/**/{test,tests,__tests__,benchmark,benchmarks,bench,example,examples,docs,doc,.github,coverage}/**',
  '!**/node_modules/**/{README,Readme,readme,CHANGELOG,Changelog,changelog,HISTORY,SECURITY,CONTRIBUTING}*',
  '!**/node_modules/**/.*',
  '!**/node_modules/.bin/**',
  '!out/**/.vite/**',
  // Only for the npm package.
  '!out/node/**',
  // Copies for bundlers; Node loads the CommonJS ones.
  '!**/node_modules/@{aws-sdk,smithy,aws-crypto}/**/dist-{es,types}/**',
  '!**/node_modules/better-sqlite3/{deps,src}/**',
  // npm's build/ is for the machine that packs.
  '!**/node_modules/keytar/{src,script,build}/**',
  // The service uses the build for Node, without JPEG XL and SVG; of libheif only the WebAssembly and its script are used.
  '!**/node_modules/wasm-vips/lib/{vips.js,vips-es6.js,vips-node.js,vips-jxl.wasm,vips-resvg.wasm}',
  '!**/node_modules/libheif-js/{libheif,index.js,wasm-bundle.js}{,/**}',
  '!**/node_modules/libheif-js/libheif-wasm/libheif-bundle.*',
  // Only for the browser shell and `npm start`.
  '!node_modules/@fastify/{cookie,static,send}/**',
  // In the built programs; no package beside them needs these.
  '!node_modules/{@noble,kysely}/**',
  // Results of `npm run bench` on this machine.
  '!out/bench/**',
];

/**
 * All files of a package for one system. Each platform needs the whole list: electron-builder treats a top-level `files` as a
 * separate file set, and a platform's exclusions alone would then start from the whole folder.
 *
 * @param system pattern of the prebuilt files that go into a package
 */
const filesFor = (system) => [
  'out/**',
  'package.json',
  ...notShipped,
  `!**/node_modules/better-sqlite3/prebuilds/!(${system}.node)`,
  `!**/node_modules/keytar/prebuilds/!(${system})/**`,
];

/**
 * Azure Artifact Signing if its four names are in the environment (docs/tutorial/code-signing.md of Electron), because public
 * authorities no longer issue keys as files. Otherwise electron-builder uses a company's own PFX from CSC_LINK, if there is
 * one.
 */
const signing = ({
  AZURE_SIGNING_ENDPOINT: endpoint,
  AZURE_SIGNING_ACCOUNT: codeSigningAccountName,
  AZURE_SIGNING_PROFILE: certificateProfileName,
  AZURE_SIGNING_PUBLISHER: publisherName,
}) =>
  endpoint && codeSigningAccountName && certificateProfileName && publisherName
    ? {
        azureSignOptions: {
          endpoint,
          codeSigningAccountName,
          certificateProfileName,
          publisherName,
        },
      }
    : {};

export default {
  // Also set at each start on Windows (src/main/system/app-id.ts).
  appId: 'app.spotter.desktop',
  productName: 'Spotter',
  copyright: 'MIT licence',
  directories: { output: 'dist', buildResources: 'resources' },
  asar: true,
  asarUnpack: [
    '**/*.{node,so,so.*,dylib,dll}',
    'out/renderer/libheif.js',
    '**/node_modules/{wasm-vips,libheif-js}/**',
  ],
  // Next to the archive: macOS signs no text at the top of Contents ("code object is not signed at all").
  extraResources: [{ from: 'node_modules/.cache/package', to: '.' }],
  electronLanguages: ['en', 'en-US', 'en-GB', 'es', 'es-419', 'pl'],
  // A local folder instead of a download (src/setup/electron/electron.ts).
  ...(process.env.ELECTRON_OVERRIDE_DIST_PATH
    ? { electronDist: process.env.ELECTRON_OVERRIDE_DIST_PATH }
    : {}),
  // Every native part is Node-API and prebuilt.
  npmRebuild: false,
  nodeGypRebuild: false,
  // Where installed programs look for updates; set per build, and absent without it (src/main/update/update-feed.ts).
  publish: updateFeed ? { provider: 'generic', url: updateFeed } : null,
  electronFuses: {
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    // The window has no cookies, and macOS would ask for a key of the keychain in an unsigned build. Once enabled, it cannot be
    // disabled.
    enableCookieEncryption: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  },
  protocols: [{ name: 'Spotter', schemes: ['spotter'] }],
  win: {
    ...signing(process.env),
    files: filesFor('${platform}-${arch}'),
    target: [
      { target: 'nsis', arch: ['x64', 'arm64'] },
      { target: 'msi', arch: ['x64'] },
    ],
    icon: 'resources/icon.ico',
  },
  // For offices that roll out by Intune or group policy: for all users, silent, and updated by the office.
  msi: {
    artifactName: '${productName}-${version}-${arch}.${ext}',
    oneClick: true,
    perMachine: true,
  },
  nsis: {
    // Without spaces: GitHub renames assets with spaces, and SHA256SUMS would name another file.
    artifactName: '${productName}-Setup-${version}.${ext}',
    oneClick: false,
    // Per user by default; per machine if chosen (/allusers; /S for a silent installation).
    perMachine: false,
    selectPerMachineByDefault: false,
    allowElevation: true,
    allowToChangeInstallationDirectory: false,
    // Queue, photos and settings belong to the user, not to the program.
    deleteAppDataOnUninstall: false,
    include: '.config/windows/open-with.nsh',
  },
  mac: {
    // The universal package merges two, which must hold the same files, so each holds both native builds.
    files: filesFor('darwin-*'),
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
    // Notarisation runs only if the environment holds Apple's keys.
    notarize: Boolean(process.env.APPLE_API_KEY ?? process.env.APPLE_ID),
    extendInfo: {
      NSCameraUsageDescription: camera,
      // macOS 15 and newer asks for this if the server, or a phone that sends photos, is in the same network.
      NSLocalNetworkUsageDescription: localNetwork,
    },
    // Offered under "Open With", as an alternate: other programs open zips as archives.
    fileAssociations: [{ ext: 'zip', name: 'Spotter export', role: 'Viewer', rank: 'Alternate' }],
    extraResources: [
      { from: '.config/macos/en.lproj', to: 'en.lproj' },
      { from: '.config/macos/es.lproj', to: 'es.lproj' },
    ],
  },
  // The keychain's library, which electron-builder requires only in a deb. The rest is its default list, which this one
  // replaces.
  rpm: {
    depends: [
      'gtk3',
      'libnotify',
      'nss',
      'libXScrnSaver',
      '(libXtst or libXtst6)',
      'xdg-utils',
      'at-spi2-core',
      '(libuuid or libuuid1)',
      '(libsecret or libsecret-1-0)',
    ],
  },
  // Keeps `--no-sandbox` out of the desktop entry.
  appImage: { executableArgs: [] },
  linux: {
    files: filesFor('${platform}-${arch}'),
    target: ['AppImage', 'deb', 'rpm'],
    icon: 'resources/window/icon.png',
    category: 'Office',
    executableName: 'spotter',
    // Names the desktop entry as package.json does and as Electron tells the desktop: global shortcuts and the dock rely on it.
    syncDesktopName: true,
    mimeTypes: ['application/zip'],
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
