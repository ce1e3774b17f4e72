/**
 * `npm run demo-photos`: draws the demo's photos (photos/), one JPEG of each scene and a closer crop for records with
 * a second photo. The package contains the finished JPEGs, so that no service ever has to read SVG.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { randomFrom } from './random.ts';
import { drawScene, sceneNames } from './scenes.ts';

const GRAIN = 256;
const JPEG = { quality: 76, mozjpeg: true };

const folder = fileURLToPath(new URL('photos/', import.meta.url));

const noise = randomFrom(5);
const grain = await sharp(
  Uint8Array.from({ length: GRAIN * GRAIN }, () => noise() * 256),
  { raw: { width: GRAIN, height: GRAIN, channels: 1 } },
)
  .png()
  .toBuffer();

await rm(folder, { recursive: true, force: true });
await mkdir(folder);
for (const [index, name] of sceneNames.entries()) {
  const svg = drawScene(name, randomFrom(77 + index), grain.toString('base64'));
  const whole = await sharp(Buffer.from(svg)).jpeg(JPEG).toBuffer();
  const closer = await sharp(whole)
    .extract({ left: 250, top: 210, width: 520, height: 390 })
    .jpeg(JPEG)
    .toBuffer();
  await writeFile(`${folder}${name}-1.jpg`, whole);
  await writeFile(`${folder}${name}-2.jpg`, closer);
}
