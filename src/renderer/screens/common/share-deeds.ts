/**
 * Ways to share one near miss: copy as text, start a mail, print, save as PDF. Used in the detail and in the toast after
 * saving.
 */
import { getCatalog } from '../../data/db/catalog.ts';
import { getNearMiss } from '../../data/index/near-miss-list.ts';
import { photosOf } from '../../data/photos/photos.ts';
import { app } from '../../state/app.svelte.ts';
import { paper, type PaperTo } from '../../state/paper.svelte.ts';
import { toasts } from '../../state/toasts.svelte.ts';
import { words } from '../../words/company-words.ts';
import { mailToShare, textToShare, type Shared } from './share.ts';

interface Deed {
  readonly label: string;
  readonly run: () => void;
}

/** The near miss as stored on this laptop now; null if it is gone. */
const sharedOf = async (key: string): Promise<Shared | null> => {
  const { deps, session } = app;
  const row = await getNearMiss(deps, key);
  if (row === undefined) return null;
  const catalog = await getCatalog(deps, row.account, row.project_id);
  return {
    row,
    definitions: catalog?.catalog.custom_field_definitions ?? [],
    photos: (await photosOf(deps, row)).length,
    project: session.view?.project?.name ?? '',
  };
};

const copy = async (key: string): Promise<void> => {
  const t = words.detail;
  try {
    const shared = await sharedOf(key);
    if (shared === null) return toasts.show('bad', t.gone);
    await navigator.clipboard.writeText(textToShare(shared));
    toasts.show('ok', t.share_copied);
  } catch {
    toasts.show('bad', t.share_not_copied);
  }
};

const mail = async (key: string): Promise<void> => {
  const t = words.detail;
  const shared = await sharedOf(key);
  if (shared === null) return toasts.show('bad', t.gone);
  const answer = await app.deps.host.call('links.open', { href: mailToShare(shared) });
  if (!answer.ok || !answer.value.opened) toasts.show('bad', t.share_no_mail);
};

const report = (key: string, names: boolean, to: PaperTo) => () =>
  paper.print({ kind: 'report', key, names }, to);

/** Sharing without names of persons. Without the desktop program's PDF export, the print dialog offers it. Reads runes. */
export const shareDeeds = (key: string): readonly Deed[] => {
  const t = words.paper;
  const { saves_pdf } = app.session;
  return [
    { label: words.detail.share_copy, run: () => void copy(key) },
    { label: words.detail.share_mail, run: () => void mail(key) },
    { label: saves_pdf ? t.print_report : t.print_or_pdf, run: report(key, false, 'printer') },
    ...(saves_pdf ? [{ label: t.save_pdf, run: report(key, false, 'pdf') }] : []),
  ];
};

/** Printing with the names of everyone involved. */
export const namedDeeds = (key: string): readonly Deed[] => {
  const t = words.paper;
  return [
    { label: t.with_names, run: report(key, true, 'printer') },
    ...(app.session.saves_pdf ? [{ label: t.pdf_with_names, run: report(key, true, 'pdf') }] : []),
  ];
};
