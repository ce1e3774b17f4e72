/** The sections of the settings, in order, for the screen and the finder. */
import { app } from '../../state/app.svelte.ts';
import { may } from '../../state/session/access.ts';
import { words } from '../../words/company-words.ts';

const t = words.settings;

/** True if the data lives in this laptop's embedded service: sample data or a local company. Reads runes. */
export const isOnLaptop = (): boolean =>
  ['this_laptop', 'local_company'].includes(app.session.view?.kind ?? '');

/** The sections available now. The desktop program and the embedded service each add one. Reads runes. */
export const sectionsNow = (): readonly { readonly id: string; readonly title: string }[] => [
  { id: 'connection', title: t.connection },
  ...(may('people.list') ? [{ id: 'company-data', title: words.places.own_data }] : []),
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
