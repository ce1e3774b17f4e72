/**
 * Builds the context menu, because Electron has none by default. Returns data, so that tests can read it; desktop.ts shows it.
 */
import type { ContextMenuParams, MenuItemConstructorOptions as Item } from 'electron';
import type { Words } from '../words/words.ts';

export type Clicked = Pick<
  ContextMenuParams,
  | 'isEditable'
  | 'editFlags'
  | 'selectionText'
  | 'mediaType'
  | 'hasImageContents'
  | 'srcURL'
  | 'linkURL'
  | 'misspelledWord'
  | 'dictionarySuggestions'
  | 'x'
  | 'y'
>;

export interface ContextDeeds {
  replace(word: string): void;
  copyPicture(): void;
  savePicture(): void;
  copyLink(): void;
}

const SUGGESTIONS = 5;

const spelling = (clicked: Clicked, { context: t }: Words, { replace }: ContextDeeds): Item[] => {
  if (clicked.misspelledWord === '' || !clicked.isEditable) return [];
  const offered = clicked.dictionarySuggestions.slice(0, SUGGESTIONS);
  if (offered.length === 0) return [{ label: t.no_suggestion, enabled: false }];
  return offered.map((word) => ({ label: word, click: () => replace(word) }));
};

const text = ({ isEditable, editFlags, selectionText }: Clicked, { menu: t }: Words): Item[] => {
  const copy: Item = { role: 'copy', label: t.copy, enabled: editFlags.canCopy };
  if (!isEditable) return selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'cut', label: t.cut, enabled: editFlags.canCut },
    copy,
    { role: 'paste', label: t.paste, enabled: editFlags.canPaste },
    { role: 'pasteAndMatchStyle', label: t.paste_plain, enabled: editFlags.canPaste },
    { role: 'selectAll', label: t.select_all, enabled: editFlags.canSelectAll },
  ];
};

/** Links within the window lead to one of its screens and are useless elsewhere. */
const mayCopy = (url: string): boolean => /^(https?|mailto|tel):/.test(url);

/** Empty when nothing can be done with the clicked element. */
export const contextOf = (clicked: Clicked, words: Words, deeds: ContextDeeds): Item[] => {
  const t = words.context;
  const picture = clicked.mediaType === 'image' && clicked.hasImageContents;
  const groups: Item[][] = [
    spelling(clicked, words, deeds),
    text(clicked, words),
    picture
      ? [
          { label: t.copy_picture, click: deeds.copyPicture },
          { label: t.save_picture, click: deeds.savePicture },
        ]
      : [],
    mayCopy(clicked.linkURL) ? [{ label: t.copy_link, click: deeds.copyLink }] : [],
  ];
  return groups
    .filter((group) => group.length > 0)
    .flatMap((group, at) => (at === 0 ? group : [{ type: 'separator' as const }, ...group]));
};
