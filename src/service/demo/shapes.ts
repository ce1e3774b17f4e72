/** SVG building blocks of the demo's scenes: things on a construction site. */
import type { Random } from './random.ts';

/** Units of the drawing; its size in pixels is WIDTH by HEIGHT in scenes.ts. */
const SCENE_WIDTH = 960;
const SCENE_HEIGHT = 720;

export const at = (n: number): string => n.toFixed(1);
export const poly = (points: readonly (readonly [number, number])[], style: string): string =>
  `<path d="M${points.map(([x, y]) => `${at(x)} ${at(y)}`).join('L')}z" ${style}/>`;
export const rect = (x: number, y: number, w: number, h: number, style: string): string =>
  `<rect x="${at(x)}" y="${at(y)}" width="${at(w)}" height="${at(h)}" ${style}/>`;
export const line = (
  [x1, y1, x2, y2]: readonly [number, number, number, number],
  width: number,
  stroke: string,
): string =>
  `<path d="M${at(x1)} ${at(y1)}L${at(x2)} ${at(y2)}" stroke="${stroke}" stroke-width="${at(width)}"/>`;
export const shade = (x: number, y: number, w: number, h: number): string =>
  `<ellipse cx="${at(x)}" cy="${at(y)}" rx="${at(w * 1.25)}" ry="${at(h * 1.7)}" fill="url(#shadow)"/>`;
export const times = (count: number, draw: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => draw(index)).join('');

/** A round bar, lit from the left. */
export const tube = (
  ends: readonly [number, number, number, number],
  width: number,
  colour = '#8d959b',
): string =>
  line(ends, width, '#33383c') +
  line([ends[0] - width * 0.12, ends[1], ends[2] - width * 0.12, ends[3]], width * 0.62, colour) +
  line([ends[0] - width * 0.24, ends[1], ends[2] - width * 0.24, ends[3]], width * 0.2, '#d7dde1');

export const board = (x: number, y: number, length: number, tilt = 0): string =>
  `<g transform="translate(${at(x)} ${at(y)}) rotate(${tilt})">${rect(0, 0, length, 20, 'fill="url(#wood)"')}${rect(0, 20, length, 8, 'fill="#6d4a26"')}${times(
    4,
    (i) => line([6, 4 + i * 4.4, length - 8, 3 + i * 4.6], 0.9, '#7d5731'),
  )}${rect(length - 12, 0, 12, 28, 'fill="#b03a2a"')}</g>`;

export const cone = (x: number, y: number, size: number): string =>
  shade(x, y, size * 0.55, size * 0.12) +
  poly(
    [
      [x - size * 0.42, y],
      [x + size * 0.42, y],
      [x + size * 0.34, y - size * 0.1],
      [x - size * 0.34, y - size * 0.1],
    ],
    'fill="#a33b12"',
  ) +
  poly(
    [
      [x - size * 0.26, y - size * 0.09],
      [x + size * 0.26, y - size * 0.09],
      [x + size * 0.05, y - size],
      [x - size * 0.05, y - size],
    ],
    'fill="url(#orange)"',
  ) +
  poly(
    [
      [x - size * 0.18, y - size * 0.4],
      [x + size * 0.18, y - size * 0.4],
      [x + size * 0.125, y - size * 0.64],
      [x - size * 0.125, y - size * 0.64],
    ],
    'fill="#e9e6df"',
  );

export const barrier = (x: number, y: number, w: number, tilt = 0): string =>
  `<g transform="translate(${at(x)} ${at(y)}) rotate(${tilt})">${times(3, (i) =>
    rect((i * w) / 2 - 5, -12, 10, 118, 'fill="#5b5f61"'),
  )}${[0, 46]
    .map(
      (top) =>
        rect(-8, top, w + 16, 26, 'fill="#ece9e2"') +
        times(Math.floor(w / 44), (i) =>
          poly(
            [
              [i * 44, top + 26],
              [i * 44 + 18, top],
              [i * 44 + 40, top],
              [i * 44 + 22, top + 26],
            ],
            'fill="#c0341f"',
          ),
        ),
    )
    .join('')}</g>`;

/** Half-finished concrete floors in the distance. */
const frame = (x: number, y: number, w: number, floors: number, random: Random): string =>
  times(floors, (i) => {
    const top = y - (i + 1) * 74;
    return (
      rect(x, top + 14, w, 60, 'fill="#6f7375"') +
      times(5, (k) => rect(x + 8 + (k * (w - 26)) / 4, top + 14, 14, 60, 'fill="#a7a59d"')) +
      times(4, (k) =>
        random() < 0.4
          ? rect(x + 24 + (k * (w - 26)) / 4, top + 30, (w - 90) / 4, 44, 'fill="#58606a"')
          : '',
      ) +
      rect(x - 8, top, w + 16, 16, 'fill="#bdbab1"')
    );
  });

const towerCrane = (x: number, y: number, height: number): string =>
  `<g stroke="#c99a1f" fill="none" stroke-width="5"><path d="M${x} ${y}V${y - height}M${x + 18} ${y}V${y - height}"/><path d="M${x - 90} ${y - height + 24}H${x + 330}M${x - 90} ${y - height + 8}L${x + 8} ${y - height - 40}L${x + 330} ${y - height + 20}" stroke-width="4"/>${times(
    Math.floor(height / 26),
    (i) =>
      `<path d="M${x} ${y - i * 26}l18 -26M${x + 18} ${y - i * 26}l-18 -26" stroke-width="2"/>`,
  )}</g>${rect(x - 88, y - height + 22, 46, 34, 'fill="#8b8e8c"')}`;

export const ground = (horizon: number, random: Random): string =>
  rect(0, horizon, SCENE_WIDTH, SCENE_HEIGHT - horizon, 'fill="url(#earth)"') +
  times(150, () => {
    const depth = random() ** 1.6;
    const y = horizon + depth * (SCENE_HEIGHT - horizon);
    const r = 1.5 + depth * 7;
    return `<ellipse cx="${at(random() * SCENE_WIDTH)}" cy="${at(y)}" rx="${at(r * 1.5)}" ry="${at(r * 0.6)}" fill="${random() < 0.5 ? '#574838' : '#a99478'}" opacity="${at(0.2 + random() * 0.5)}"/>`;
  }) +
  times(
    3,
    (i) =>
      `<path d="M${at(480 + i * 30)} ${horizon}Q${at(380 + i * 90)} ${at((horizon + SCENE_HEIGHT) / 2)} ${at(140 + i * 300)} ${SCENE_HEIGHT}" stroke="#4f4234" stroke-width="${16 - i * 3}" fill="none" opacity=".22"/>`,
  );

export const slab = (horizon: number, random: Random): string =>
  rect(0, horizon, SCENE_WIDTH, SCENE_HEIGHT - horizon, 'fill="url(#slab)"') +
  times(40, () => {
    const y = horizon + random() ** 1.4 * (SCENE_HEIGHT - horizon);
    return `<ellipse cx="${at(random() * SCENE_WIDTH)}" cy="${at(y)}" rx="${at(14 + random() * 70)}" ry="${at(3 + random() * 9)}" fill="${random() < 0.6 ? '#6d6b66' : '#c9c6be'}" opacity=".22"/>`;
  });

export const far = (drawn: string): string => `<g opacity=".72">${drawn}</g>`;

export const site = (random: Random, horizon = 400): string =>
  far(
    towerCrane(640 + random() * 120, horizon, 300) +
      frame(60 + random() * 60, horizon, 330, 3, random) +
      frame(560 + random() * 60, horizon, 280, 2, random),
  );

export const tracked = (x: number, y: number, colour = '#d9a013'): string =>
  shade(x + 150, y + 6, 230, 26) +
  rect(x - 10, y - 52, 310, 56, 'rx="28" fill="#25272a"') +
  times(6, (i) => `<circle cx="${x + 24 + i * 50}" cy="${y - 24}" r="19" fill="#4a4d50"/>`) +
  rect(x + 20, y - 130, 250, 84, `rx="10" fill="${colour}"`) +
  rect(x + 20, y - 66, 250, 20, 'fill="#8a640b"') +
  rect(x + 150, y - 232, 112, 116, 'rx="10" fill="#2e3337"') +
  poly(
    [
      [x + 160, y - 222],
      [x + 226, y - 222],
      [x + 252, y - 140],
      [x + 160, y - 140],
    ],
    'fill="#9fb6c3"',
  );
