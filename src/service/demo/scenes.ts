/**
 * Draws the scenes of the demo's photos as SVG, so that the package contains no real person's photo (`npm run
 * demo-photos` renders them). Each has a foreground that shows the near miss and a soft background, with the light,
 * tilt and grain of a phone's camera. No people are shown: the demo names nobody real.
 */
import type { Random } from './random.ts';
import {
  at,
  barrier,
  board,
  cone,
  far,
  ground,
  line,
  poly,
  rect,
  shade,
  site,
  slab,
  times,
  tracked,
  tube,
} from './shapes.ts';

/** Size of a photo, pixels. */
const WIDTH = 880;
const HEIGHT = 660;

const scenes = {
  scaffold: (random: Random) => {
    const deck = 330 + random() * 40;
    return (
      site(random, 560) +
      ground(560, random) +
      `<g>${times(5, (i) => tube([90 + i * 200, 20, 90 + i * 200, 640], 17))}${[130, deck, 520]
        .map((y) => tube([0, y - 62, 960, y - 66], 12) + board(0, y, 560) + board(568, y, 420))
        .join('')}${tube([90, 640, 290, deck], 12)}${tube([690, 640, 890, deck], 12)}</g>` +
      shade(610, 664, 190, 16) +
      board(440, 560, 360, 24)
    );
  },
  rail: (random: Random) =>
    site(random, 300) +
    slab(430, random) +
    rect(0, 420, 960, 20, 'fill="#d5d2c9"') +
    times(4, (i) => tube([120 + i * 250, 190, 120 + i * 250, 470], 15, '#c9b13a')) +
    tube([0, 236, 640, 232], 12, '#c9b13a') +
    tube([0, 330, 620, 326], 12, '#c9b13a') +
    tube([620, 236, 700, 520 + random() * 40], 12, '#c9b13a') +
    tube([870, 232, 960, 231], 12, '#c9b13a') +
    shade(690, 590, 120, 12),
  telehandler: (random: Random) =>
    site(random) +
    ground(400, random) +
    tracked(150 + random() * 60, 560, '#cf4a22') +
    tube([430, 440, 790, 300], 46, '#cf4a22') +
    rect(770, 270, 20, 150, 'fill="#2b2e31"') +
    rect(780, 400, 150, 14, 'fill="#2b2e31"') +
    times(3, (i) => rect(790, 320 + i * 27, 130, 24, 'fill="url(#wood)"')) +
    cone(760, 640, 86) +
    cone(880, 610, 66),
  excavator: (random: Random) =>
    site(random) +
    ground(400, random) +
    tracked(300 + random() * 50, 590) +
    `<path d="M470 440Q560 160 700 240" stroke="#b58410" stroke-width="52" fill="none"/><path d="M470 432Q560 158 700 236" stroke="#e8b42c" stroke-width="34" fill="none"/>` +
    tube([700, 236, 800, 430], 34, '#e0aa22') +
    poly(
      [
        [760, 420],
        [870, 420],
        [850, 530],
        [770, 520],
      ],
      'fill="#3c3f42"',
    ) +
    barrier(640, 600, 300, -3),
  lift: (random: Random) => {
    const x = 430 + random() * 60;
    return (
      site(random, 520) +
      slab(520, random) +
      tube([x, 0, x, 150], 8, '#5c6164') +
      `<path d="M${at(x - 22)} 150h44v40q0 40 -30 40q-24 0 -24 -24" stroke="#c23b1e" stroke-width="15" fill="none"/>` +
      line([x - 6, 220, x - 190, 330], 7, '#3d6f9c') +
      line([x - 6, 220, x + 140, 372], 7, '#3d6f9c') +
      `<g transform="rotate(7 ${at(x)} 340)">${rect(x - 300, 322, 620, 20, 'fill="#8c3f2c"')}${rect(x - 300, 342, 620, 34, 'fill="#6b2e20"')}${rect(x - 300, 376, 620, 18, 'fill="#9c4a35"')}</g>` +
      shade(x, 640, 330, 24) +
      barrier(60, 560, 240) +
      barrier(640, 560, 260)
    );
  },
  trench: (random: Random) =>
    site(random, 330) +
    ground(330, random) +
    poly(
      [
        [430, 360],
        [560, 360],
        [820, 720],
        [150, 720],
      ],
      'fill="url(#pit)"',
    ) +
    `<path d="M560 360l30 40l-12 24l48 44l-6 40l80 66l4 40l116 106" stroke="#b39a78" stroke-width="16" fill="none" opacity=".85"/>` +
    times(16, () => {
      const k = random();
      return `<ellipse cx="${at(600 + k * 90)}" cy="${at(480 + k * 200)}" rx="${at(14 + random() * 22)}" ry="${at(9 + random() * 10)}" fill="#7d6850"/>`;
    }) +
    barrier(70, 380, 240, 6) +
    barrier(640, 470, 260, 34),
  stairs: (random: Random) =>
    rect(0, 0, 960, 720, 'fill="url(#wall)"') +
    times(8, (i) => {
      const y = 700 - i * 74;
      return (
        rect(120 + i * 26, y - 74, 720 - i * 52, 22, 'fill="#c6c3ba"') +
        rect(120 + i * 26, y - 52, 720 - i * 52, 52, 'fill="#85827b"')
      );
    }) +
    tube([96, 720, 300, 60], 15, '#c9b13a') +
    shade(500, 560, 150, 20) +
    `<ellipse cx="560" cy="486" rx="66" ry="84" fill="#7a5227"/><ellipse cx="440" cy="486" rx="66" ry="84" fill="#a9763c"/>${rect(440, 430, 120, 112, 'fill="#23262a"')}<ellipse cx="440" cy="486" rx="66" ry="84" fill="#b98548"/><ellipse cx="440" cy="486" rx="16" ry="20" fill="#4b331a"/>` +
    `<path d="M500 540Q${at(640 + random() * 60)} 620 380 660T260 720" stroke="#1d1f22" stroke-width="15" fill="none"/><path d="M500 536Q640 616 380 656" stroke="#c3531f" stroke-width="5" fill="none"/>`,
  bottle: (random: Random) =>
    rect(0, 0, 960, 470, 'fill="url(#sheet)"') +
    times(24, (i) => rect(i * 42, 0, 13, 470, 'fill="#000" opacity=".13"')) +
    slab(470, random) +
    [
      [330, '#8e2f24'],
      [560 + random() * 40, '#3e5a44'],
    ]
      .map(
        ([x, colour]) =>
          shade(Number(x) + 66, 650, 120, 18) +
          rect(Number(x), 250, 104, 400, `rx="42" fill="${String(colour)}"`) +
          rect(Number(x) + 12, 276, 18, 350, 'rx="9" fill="#fff" opacity=".26"') +
          rect(Number(x) + 72, 276, 26, 350, 'rx="12" fill="#000" opacity=".28"') +
          rect(Number(x) + 38, 196, 28, 62, 'fill="#b7a05a"') +
          rect(Number(x) + 20, 186, 64, 18, 'rx="8" fill="#5f6366"') +
          rect(Number(x) + 22, 400, 60, 74, 'fill="#e9e4d6"'),
      )
      .join('') +
    `<path d="M382 214Q480 300 452 470T300 690" stroke="#b4332b" stroke-width="11" fill="none"/>`,
  electric: (random: Random) =>
    rect(0, 0, 960, 720, 'fill="url(#wall)"') +
    times(9, (i) => rect(0, i * 84, 960, 2, 'fill="#000" opacity=".2"')) +
    shade(500, 600, 270, 40) +
    rect(270, 110, 400, 470, 'rx="8" fill="#9da3a2"') +
    rect(290, 130, 360, 430, 'fill="#2a2d30"') +
    poly(
      [
        [670, 110],
        [830, 70],
        [830, 640],
        [670, 580],
      ],
      'fill="#b4bab8"',
    ) +
    times(3, (row) =>
      times(
        7,
        (i) =>
          rect(310 + i * 47, 170 + row * 118, 40, 72, 'fill="#d8d6cd"') +
          rect(
            322 + i * 47,
            190 + row * 118,
            16,
            28,
            `fill="${random() < 0.25 ? '#b5281d' : '#1f2225'}"`,
          ),
      ),
    ) +
    ['#b5281d', '#27558f', '#5b6b2a', '#222']
      .map(
        (colour, i) =>
          `<path d="M${340 + i * 70} 500Q${330 + i * 60} 600 ${240 + i * 120} 720" stroke="${colour}" stroke-width="13" fill="none"/>`,
      )
      .join('') +
    poly(
      [
        [750, 180],
        [796, 262],
        [704, 258],
      ],
      'fill="#e3b91c" stroke="#1d1d1d" stroke-width="6"',
    ),
  ladder: (random: Random) =>
    site(random, 520) +
    ground(560, random) +
    rect(0, 150, 960, 54, 'fill="#b9b6ad"') +
    rect(0, 204, 960, 26, 'fill="#7d7b75"') +
    times(3, (i) => rect(40 + i * 400, 230, 70, 360, 'fill="url(#slab)"')) +
    `<g transform="rotate(${at(9 + random() * 4)} 470 640)">${tube([420, 60, 420, 660], 17, '#c0c6c9')}${tube([520, 60, 520, 660], 17, '#c0c6c9')}${times(13, (i) => tube([420, 92 + i * 44, 520, 92 + i * 44], 11, '#c0c6c9'))}</g>` +
    shade(440, 668, 130, 14),
  props: (random: Random) =>
    rect(0, 0, 960, 720, 'fill="#3b3a37"') +
    far(rect(0, 250, 960, 260, 'fill="#c9d5da"')) +
    slab(500, random) +
    rect(0, 0, 960, 110, 'fill="url(#wood)"') +
    times(7, (i) => rect(i * 150, 0, 5, 110, 'fill="#5f4020"')) +
    rect(0, 110, 960, 42, 'fill="#d9a21f"') +
    times(6, (i) => tube([110 + i * 160, 152, 110 + i * 160, 640 - (i % 2) * 70], 21, '#a33d2c')) +
    tube([430, 190, 500 + random() * 40, 650], 23, '#b5452f') +
    shade(500, 656, 110, 14),
  lorry: (random: Random) =>
    site(random, 350) +
    ground(390, random) +
    shade(520, 566, 330, 30) +
    rect(330, 210, 480, 290, 'fill="#d9dbd8"') +
    times(8, (i) => rect(350 + i * 58, 222, 8, 262, 'fill="#b9bcba"')) +
    rect(170, 270, 170, 230, 'rx="16" fill="#2e6ea5"') +
    rect(186, 290, 106, 90, 'rx="8" fill="#a7bfcc"') +
    rect(150, 490, 680, 30, 'fill="#25272a"') +
    [230, 620, 740]
      .map(
        (x) =>
          `<circle cx="${x}" cy="530" r="50" fill="#1d1f21"/><circle cx="${x}" cy="530" r="22" fill="#8b8f91"/>`,
      )
      .join('') +
    tube([60, 200, 60, 620], 18, '#c9b13a') +
    tube([900, 200, 900, 640], 18, '#c9b13a') +
    cone(120 + random() * 30, 660, 92),
  rebar: (random: Random) =>
    site(random, 300) +
    slab(360, random) +
    times(34, (i) => {
      const depth = Math.floor(i / 9);
      const x = 60 + (i % 9) * 108 + depth * 22 + random() * 8;
      const y = 440 + depth * 70;
      const tall = 130 + depth * 42;
      return tube([x, y, x + random() * 10, y - tall], 9 + depth * 2, '#8a4f33');
    }) +
    times(5, (i) => {
      const x = 70 + i * 108;
      return `<ellipse cx="${x}" cy="312" rx="15" ry="9" fill="#e06a1b"/>${rect(x - 12, 312, 24, 18, 'rx="6" fill="#c4540f"')}`;
    }) +
    times(3, (i) => tube([0, 470 + i * 80, 960, 462 + i * 84], 11, '#8a4f33')),
  hose: (random: Random) =>
    site(random, 330) +
    slab(360, random) +
    poly(
      [
        [0, 520],
        [960, 450],
        [960, 720],
        [0, 720],
      ],
      'fill="#77756f"',
    ) +
    times(30, () => {
      const x = random() * 960;
      return `<ellipse cx="${at(x)}" cy="${at(540 + random() * 160)}" rx="${at(30 + random() * 60)}" ry="${at(6 + random() * 12)}" fill="${random() < 0.5 ? '#8f8d86' : '#5f5d58'}" opacity=".6"/>`;
    }) +
    `<path d="M960 40Q700 30 640 200T520 470Q480 600 330 590" stroke="#17191b" stroke-width="64" fill="none"/><path d="M950 30Q690 20 630 196T512 462Q474 586 330 578" stroke="#3c4043" stroke-width="22" fill="none"/>` +
    rect(290, 548, 52, 84, 'rx="8" fill="#9aa0a3"') +
    cone(760, 660, 96),
} satisfies Record<string, (random: Random) => string>;

export type SceneName = keyof typeof scenes;
export const sceneNames = Object.keys(scenes) as readonly SceneName[];

const stops = (...colours: readonly string[]): string =>
  colours
    .map((colour, i) => `<stop offset="${at(i / (colours.length - 1))}" stop-color="${colour}"/>`)
    .join('');
const gradient = (id: string, ...colours: readonly string[]): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">${stops(...colours)}</linearGradient>`;

/** Morning, noon, overcast, late afternoon. */
const lights = [
  { sky: ['#7ba3c7', '#e9dfcb'], tint: '#ffb46a', strength: 0.1 },
  { sky: ['#4f8cc4', '#cfe1ec'], tint: '#ffffff', strength: 0.02 },
  { sky: ['#9aa6ae', '#d5d9da'], tint: '#7f93a5', strength: 0.16 },
  { sky: ['#6d86a8', '#f0c99a'], tint: '#ff8d3a', strength: 0.14 },
] as const;

/** One picture as SVG. @param grain a small PNG of noise, base64 */
export const drawScene = (name: SceneName, random: Random, grain: string): string => {
  const light = lights[Math.floor(random() * lights.length)] ?? lights[0];
  const tilt = (random() - 0.5) * 3;
  const zoom = 1.07 + random() * 0.12;
  const clouds = times(
    7,
    () =>
      `<ellipse cx="${at(random() * 960)}" cy="${at(random() * 220)}" rx="${at(70 + random() * 150)}" ry="${at(16 + random() * 30)}" fill="url(#cloud)"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 960 720">
<defs>${gradient('sky', ...light.sky)}${gradient('earth', '#a08a6d', '#85705a', '#5e4d3c')}${gradient('slab', '#b9b6ad', '#9c9991', '#77756e')}${gradient('wood', '#c99a5c', '#a97a41')}${gradient('orange', '#f07a2b', '#b9440f')}${gradient('pit', '#4d3f31', '#2b231b', '#15110d')}${gradient('wall', '#8f8d87', '#a5a29a', '#6c6a65')}${gradient('sheet', '#5f7d8c', '#415864')}
<radialGradient id="shadow"><stop offset=".2" stop-color="#1b1712" stop-opacity=".5"/><stop offset="1" stop-color="#1b1712" stop-opacity="0"/></radialGradient><radialGradient id="cloud"><stop offset="0" stop-color="#fff" stop-opacity=".6"/><stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>
<radialGradient id="edge" cx=".5" cy=".48" r=".78"><stop offset=".55" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".5"/></radialGradient>
<pattern id="grain" width="256" height="256" patternUnits="userSpaceOnUse"><image href="data:image/png;base64,${grain}" width="256" height="256"/></pattern></defs>
<rect width="960" height="720" fill="url(#sky)"/>${clouds}
<g transform="translate(480 360) rotate(${at(tilt)}) scale(${zoom.toFixed(2)}) translate(-480 -360)">${scenes[name](random)}</g>
<rect width="960" height="720" fill="${light.tint}" opacity="${light.strength}"/><rect width="960" height="720" fill="url(#edge)"/><rect width="960" height="720" fill="url(#grain)" opacity=".07"/></svg>`;
};
