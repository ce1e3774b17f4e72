/** The parts of the settings, in order: the screen shows them, the finder leads to each. */
import { app } from '../../state/app.svelte.ts';
import { words } from '../../words/words.ts';

const t = words.settings;

/** Is the data in a service of this laptop itself: sample data, or the firm that works on it? Reads runes. */
export const isOnLaptop = (): boolean =>
  ['this_laptop', 'own_firm'].includes(app.session.view?.kind ?? '');

/** The sections of this laptop: the desktop program and a service of its own have a part each. Reads runes. */
export const sectionsNow = (): readonly { readonly id: string; readonly title: string }[] => [
  { id: 'connection', title: t.connection },
  { id: 'company-data', title: words.places.own_data },
  { id: 'appearance', title: t.choose },
  { id: 'capture', title: t.parts.capture },
  { id: 'photos', title: t.parts.photos },
  ...(app.session.info?.shell === 'electron'
    ? [{ id: 'desktop', title: words.desktop.title }]
    : []),
  { id: 'storage', title: t.storage.title },
  ...(isOnLaptop() ? [{ id: 'copies', title: t.copies.title }] : []),
  { id: 'everything', title: t.everything.title },
  { id: 'about', title: t.about },
];
