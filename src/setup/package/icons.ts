/**
 * `npm run icons`: renders resources/window/icon.svg in the sizes that systems need: PNG for Linux and the window, ICO for
 * Windows, ICNS for macOS. ICO and ICNS are thin containers for PNGs.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';

const resources = fileURLToPath(new URL('../../../resources', import.meta.url));

/** Tray icons at each scale. macOS also gets a black one, because the system colours images named Template. */
const TRAY = 16;
const SCALES = [1, 1.5, 2] as const;
const ring = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="56 56 400 400"><g fill="none" stroke="#000" stroke-linecap="round"><circle
  cx="256" cy="256" r="136" stroke-width="36"/><path stroke-width="36" d="M256 78v42M256 392v42M78 256h42M392 256h42"/></g><circle
  cx="256" cy="256" r="56"/></svg>`;

const drawTray = async (): Promise<void> => {
  for (const scale of SCALES) {
    const side = TRAY * scale;
    const ending = scale === 1 ? '.png' : `@${scale}x.png`;
    await writeFile(join(resources, `window/tray${ending}`), await drawn(side));
    const black = sharp(Buffer.from(ring)).resize(side, side).png({ compressionLevel: 9 });
    await black.toFile(join(resources, `window/trayTemplate${ending}`));
  }
};

const drawn = (size: number): Promise<Buffer> =>
  sharp(join(resources, 'window/icon.svg'), { density: 192 })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: size > 64 })
    .toBuffer();

/** Writes ICONDIR, one ICONDIRENTRY per picture, then the pictures. A side of 256 is written as 0. */
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

/** Writes `icns` and the total length, then the type and length of each picture before its bytes. */
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
  await drawTray();
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
