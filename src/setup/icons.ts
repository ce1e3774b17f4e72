/**
 * `npm run icons`: the sizes of resources/window/icon.svg that systems ask for. PNG for Linux and the window, ICO for Windows, ICNS for
 * macOS; the last two are PNGs in a thin envelope of their own.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const resources = fileURLToPath(new URL('../../resources', import.meta.url));

const drawn = (size: number): Promise<Buffer> =>
  sharp(join(resources, 'window/icon.svg'), { density: 192 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: size > 64 })
    .toBuffer();

/** ICONDIR, one ICONDIRENTRY for each picture, the pictures. A side of 256 is written as 0. */
const ico = (sizes: readonly number[], pictures: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(6 + 16 * sizes.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(sizes.length, 4);
  let offset = head.length;
  for (const [index, picture] of pictures.entries()) {
    const at = 6 + 16 * index;
    const side = (sizes[index] ?? 0) % 256;
    head.writeUInt8(side, at);
    head.writeUInt8(side, at + 1);
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(picture.length, at + 8);
    head.writeUInt32LE(offset, at + 12);
    offset += picture.length;
  }
  return Buffer.concat([head, ...pictures]);
};

/** `icns` and the length of all, then for each picture its kind and length. */
const icns = (pictures: readonly (readonly [kind: string, picture: Buffer])[]): Buffer => {
  const chunk = (kind: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.write(kind, 'latin1');
    head.writeUInt32BE(content.length + 8, 4);
    return Buffer.concat([head, content]);
  };
  return chunk('icns', Buffer.concat(pictures.map(([kind, picture]) => chunk(kind, picture))));
};

export const run = async (): Promise<number> => {
  const small = [16, 24, 32, 48, 64, 256];
  await writeFile(join(resources, 'window/icon.png'), await drawn(512));
  await writeFile(join(resources, 'icon.ico'), ico(small, await Promise.all(small.map(drawn))));
  const kinds = [
    ['ic07', 128],
    ['ic08', 256],
    ['ic09', 512],
    ['ic10', 1024],
  ] as const;
  await writeFile(
    join(resources, 'icon.icns'),
    icns(await Promise.all(kinds.map(async ([kind, size]) => [kind, await drawn(size)] as const))),
  );
  return 0;
};
