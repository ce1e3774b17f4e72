/**
 * Builds a Windows library that only forwards its functions to another library. Wine 8 lacks `bcryptprimitives.dll`, from which
 * every Rust program gets its random bytes (including libvips and Vitest's bundler); `advapi32` has the same function under an
 * older name. By Microsoft's "PE Format": headers, one section, an export directory of forwarders.
 */
const HEADERS = 0x200;
const SECTION = 0x1000;
/** Offset of the PE header and size of the optional header, bytes. */
const PE = 0x40;
const OPTIONAL_SIZE = 240;

/** The export directory with its tables and names, as loaded at SECTION. `exports` must be sorted by name. */
const exportSection = (name: string, exports: readonly (readonly [string, string])[]): Buffer => {
  const count = exports.length;
  const [addresses, names, ordinals] = [40, 40 + 4 * count, 40 + 8 * count];
  const texts: Buffer[] = [];
  let at = 40 + 10 * count;
  const put = (text: string): number => {
    const bytes = Buffer.from(`${text}\0`, 'latin1');
    texts.push(bytes);
    at += bytes.length;
    return SECTION + at - bytes.length;
  };
  const tables = Buffer.alloc(at);
  tables.writeUInt32LE(put(name), 12);
  tables.writeUInt32LE(1, 16); // the first ordinal
  tables.writeUInt32LE(count, 20);
  tables.writeUInt32LE(count, 24);
  tables.writeUInt32LE(SECTION + addresses, 28);
  tables.writeUInt32LE(SECTION + names, 32);
  tables.writeUInt32LE(SECTION + ordinals, 36);
  exports.forEach(([own, other], index) => {
    // An address inside the export directory is the name of a function elsewhere.
    tables.writeUInt32LE(put(other), addresses + 4 * index);
    tables.writeUInt32LE(put(own), names + 4 * index);
    tables.writeUInt16LE(index, ordinals + 2 * index);
  });
  return Buffer.concat([tables, ...texts]);
};

/** @param exports `[name, 'library.function']`, sorted by name */
export const forwarderDll = (
  name: string,
  exports: readonly (readonly [string, string])[],
): Buffer => {
  const section = exportSection(name, exports);
  const head = Buffer.alloc(HEADERS);
  head.write('MZ', 0, 'latin1');
  head.writeUInt32LE(PE, 0x3c);
  head.write('PE\0\0', PE, 'latin1');
  head.writeUInt16LE(0x8664, PE + 4); // x64
  head.writeUInt16LE(1, PE + 6); // sections
  head.writeUInt16LE(OPTIONAL_SIZE, PE + 20);
  head.writeUInt16LE(0x2022, PE + 22); // executable image, large address aware, DLL
  const optional = PE + 24;
  head.writeUInt16LE(0x20b, optional); // PE32+
  head.writeUInt32LE(HEADERS, optional + 8); // initialised data
  head.writeBigUInt64LE(0x180000000n, optional + 24); // preferred address
  head.writeUInt32LE(SECTION, optional + 32);
  head.writeUInt32LE(HEADERS, optional + 36); // alignment in the file
  head.writeUInt16LE(6, optional + 40); // system version
  head.writeUInt16LE(6, optional + 48); // subsystem version
  head.writeUInt32LE(2 * SECTION, optional + 56); // size in memory
  head.writeUInt32LE(HEADERS, optional + 60);
  head.writeUInt16LE(3, optional + 68); // subsystem: console
  head.writeUInt16LE(0x140, optional + 70); // dynamic base, NX compatible
  head.writeUInt32LE(16, optional + 108); // data directories
  head.writeUInt32LE(SECTION, optional + 112);
  head.writeUInt32LE(section.length, optional + 116);
  const table = optional + OPTIONAL_SIZE;
  head.write('.edata', table, 'latin1');
  head.writeUInt32LE(section.length, table + 8);
  head.writeUInt32LE(SECTION, table + 12);
  head.writeUInt32LE(HEADERS, table + 16);
  head.writeUInt32LE(HEADERS, table + 20);
  head.writeUInt32LE(0x40000040, table + 36); // initialised data, readable
  const padded = Buffer.alloc(HEADERS);
  section.copy(padded);
  return Buffer.concat([head, padded]);
};
