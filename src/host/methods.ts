/**
 * The door's methods, one function for each line of contract/host.ts: a missing one does not compile. Thin on
 * purpose; what they do lives in session, photos, journal and settings.
 */
import type { HostAnswer, HostMethod, HostParsed } from '../contract/host.ts';
import { fail, ok, type Result } from '../contract/problem.ts';
import type { Desk } from './desk.ts';
import type { Journal } from './journal.ts';
import type { RecentLog } from './recent-log.ts';
import type { Origins } from './origins.ts';
import type { OwnCopies } from './own-copies.ts';
import type { OpenedFile } from './opened-file.ts';
import type { Phone } from './phone/index.ts';
import type { Photos } from './photos/index.ts';
import type { Session } from './session.ts';
import type { SettingsStore } from './settings.ts';
import type { WindowStore } from './window-store.ts';

export interface MethodParts {
  readonly info: () => HostAnswer<'app.info'>;
  readonly desk: Desk;
  readonly opened: OpenedFile;
  readonly session: Session;
  readonly settings: SettingsStore;
  readonly copies: OwnCopies;
  readonly phone: Phone;
  readonly photos: Photos;
  readonly journal: Journal;
  readonly store: WindowStore;
  readonly origins: Origins;
  readonly open_link: (href: string) => Promise<boolean>;
  /** Bytes left on the disk of the data folder; null: it does not say. */
  readonly disk: () => Promise<number | null>;
  /** The newest warnings and errors, without what they were about. */
  readonly said: RecentLog['said'];
}

export type Methods = {
  readonly [M in HostMethod]: (
    input: HostParsed<M>,
    bytes: Uint8Array,
  ) => Promise<Result<HostAnswer<M>>>;
};

const nothing = (result: Result<unknown>): Result<Record<string, never>> =>
  result.ok ? ok({}) : result;

const sessionMethods = (parts: MethodParts) => {
  const { info, desk, opened, session, settings, copies, photos, journal, said, open_link, disk } =
    parts;
  return {
    'app.info': async () => ok(info()),
    'app.diagnostics': async () => ok({ journal: journal.usage(), said: said() }),
    'app.disk': async () => ok({ free: await disk() }),
    'asks.take': async () => ok({ asks: desk.take() }),
    'opened.read': ({ key, offset, length }) => opened.read(key, offset, length),
    'window.report': async (report) => {
      desk.report(report);
      return ok({});
    },
    'desktop.get': async () => ok({ desktop: desk.desktop() }),
    'desktop.do': async ({ what }) => {
      desk.askDesktop(what);
      return ok({});
    },
    'self_test.tell': async ({ answer }) => {
      desk.tellCheck(answer);
      return ok({});
    },
    // As a parsed address spells it: what a system's program is given holds no quote and no space.
    'links.open': async ({ href }) => ok({ opened: await open_link(new URL(href).href) }),
    'session.get': async () => ok(session.view()),
    'session.try': ({ address, token, company_id }) =>
      session.tryServer(address, token, company_id),
    'session.connect': (input) => session.connect(input),
    'session.choose_project': ({ project_id }) => session.chooseProject(project_id),
    'session.sign_out': () => session.signOut(),
    'session.unlock': () => session.unlock(),
    'copies.list': () => copies.list(),
    'copies.restore': ({ name }) => copies.restore(name),
    'settings.get': async () => ok(settings.get()),
    'settings.set': async (change) => {
      const set = await settings.set(change);
      if (change.photo_keep_days !== undefined) photos.settled();
      return set;
    },
    'rest.request': ({ endpoint, input, account }) => session.request(endpoint, input, account),
    'reach.check': () => session.reach(),
  } satisfies Partial<Methods>;
};

const phoneMethods = ({ phone }: MethodParts) =>
  ({
    'phone.networks': () => phone.networks(),
    'phone.open': ({ address }) => phone.open(address),
    'phone.get': async () => ok(phone.get()),
    'phone.close': async ({ code }) => {
      await phone.close('asked', code);
      return ok({});
    },
    'phone.read': ({ code, file, offset, length }) => phone.read(code, file, offset, length),
    'phone.took': ({ code, file, state }) => phone.took(code, file, state),
  }) satisfies Partial<Methods>;

const photoMethods = ({ photos }: MethodParts) =>
  ({
    'photos.begin': async (input) => nothing(await photos.spool.begin(input)),
    'photos.write': ({ photo_id, offset }, bytes) => photos.spool.write(photo_id, offset, bytes),
    'photos.finish': ({ photo_id }) => photos.spool.finish(photo_id),
    'photos.discard': ({ photo_id }) => photos.discard(photo_id),
    'photos.read': async ({ photo_id, offset, length }) => {
      const read = await photos.spool.read(photo_id, offset, length);
      if (!read.ok) return read;
      const { facts, bytes } = read.value;
      const { size, content_type } = facts;
      return ok({ output: { size, content_type }, bytes });
    },
    'photos.upload': (input) => photos.upload(input),
    'photos.deliver': (input) => photos.deliver(input),
    'photos.delivery': ({ photo_id }) => photos.delivery(photo_id),
    'photos.cancel': async ({ photo_id }) => {
      await photos.cancel(photo_id);
      return ok({});
    },
    'photos.restart': async ({ photo_id }) => {
      await photos.restart(photo_id);
      return ok({});
    },
    'photos.usage': () => photos.usage(),
    'photos.claim': ({ store, photo_ids }) => photos.claim(store, photo_ids),
    'photos.find_attachment': (input) => photos.findAttachment(input),
    'photos.attachment': async (input) => {
      const fetched = await photos.attachment(input);
      if (!fetched.ok) return fetched;
      const { bytes, ...output } = fetched.value;
      return ok({ output, bytes });
    },
  }) satisfies Partial<Methods>;

const journalMethods = ({ journal, store, photos, origins }: MethodParts) =>
  ({
    'database.place': ({ origin }) => origins.seen(origin),
    'database.report': ({ state }) => store.report(state),
    'journal.append': async ({ entries }) => nothing(await journal.append(entries)),
    'journal.settle': async ({ entry_ids, links }) => {
      const settled = await journal.settle(entry_ids, links);
      photos.settled();
      return nothing(settled);
    },
    'journal.list': async () => ok(journal.list()),
    'journal.settled': async ({ entry_ids }) => ok({ entry_ids: journal.settled(entry_ids) }),
    'drafts.list': async () => ok(journal.drafts()),
    'drafts.keep': async ({ drafts, ended }) => {
      const kept = await journal.keepDrafts(drafts, ended);
      photos.letGo();
      return nothing(kept);
    },
  }) satisfies Partial<Methods>;

export const createMethods = (parts: MethodParts): Methods => ({
  ...sessionMethods(parts),
  ...phoneMethods(parts),
  ...photoMethods(parts),
  ...journalMethods(parts),
});

/** Refuses input with one sentence. */
export const badInput = (message: string): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: {} });
