/**
 * Implements the host API: one function per line of contract/host.ts, so a missing method does not compile. Deliberately thin;
 * the logic lives in session, photos, journal and settings.
 */
import type { HostAnswer, HostMethod, HostParsed } from '../contract/host.ts';
import { fail, ok, type Result } from '../contract/problem.ts';
import { anyEndpoint, endpoints, type EndpointName } from '../contract/rest/index.ts';
import type { Box } from './box/index.ts';
import type { PolicyView } from '../contract/policy.ts';
import type { EvidencePacks } from './evidence/evidence-packs.ts';
import type { ShellBridge } from './window/shell-bridge.ts';
import type { Journal } from './journal/journal.ts';
import type { RecentLog } from './lib/recent-log.ts';
import type { Origins } from './window/origins.ts';
import type { OwnCopies } from './session/local-backups.ts';
import type { OpenedFile } from './window/opened-file.ts';
import type { Phone } from './phone/index.ts';
import type { PrivacyNotice } from './phone/page.ts';
import { refuseOtherServer } from './policy.ts';
import type { Photos } from './photos/index.ts';
import type { Session } from './session/session-types.ts';
import type { SettingsStore } from './lib/settings.ts';
import type { WindowStore } from './window/window-store.ts';

export interface MethodParts {
  readonly info: () => HostAnswer<'app.info'>;
  readonly policy: PolicyView;
  readonly bridge: ShellBridge;
  readonly opened: OpenedFile;
  readonly session: Session;
  readonly settings: SettingsStore;
  readonly copies: OwnCopies;
  readonly phone: Phone;
  readonly notice: PrivacyNotice;
  readonly box: Box;
  readonly photos: Photos;
  readonly evidence: EvidencePacks;
  readonly journal: Journal;
  readonly store: WindowStore;
  readonly origins: Origins;
  readonly open_link: (href: string) => Promise<boolean>;
  /** Free bytes on the disk that holds the data folder. Null if unknown. */
  readonly disk: () => Promise<number | null>;
  /** The most recent warnings and errors, stripped of their content. */
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

const isHostOnly = (name: string): boolean =>
  Object.hasOwn(endpoints, name) && anyEndpoint(name as EndpointName).hostOnly;

const sessionMethods = (parts: MethodParts) => {
  const { info, policy, bridge, opened, session, settings, copies, photos, journal } = parts;
  const { said, open_link, disk } = parts;
  return {
    'app.info': async () => ok(info()),
    'app.diagnostics': async () => ok({ journal: journal.usage(), said: said() }),
    'app.disk': async () => ok({ free: await disk() }),
    'asks.take': async () => ok({ asks: bridge.take() }),
    'opened.read': ({ key, offset, length }) => opened.read(key, offset, length),
    'window.report': async (report) => {
      bridge.report(report);
      return ok({});
    },
    'desktop.get': async () => ok({ desktop: bridge.desktop() }),
    'desktop.do': async ({ what }) => {
      bridge.askDesktop(what);
      return ok({});
    },
    'self_test.report': async ({ answer }) => {
      bridge.reportCheck(answer);
      return ok({});
    },
    // Use the parsed URL's spelling: the system's program must never receive a quote or a space.
    'links.open': async ({ href }) => ok({ opened: await open_link(new URL(href).href) }),
    'session.get': async () => {
      session.askAgain();
      return ok(session.view());
    },
    'session.try': async ({ address, token, company_id }) =>
      refuseOtherServer(policy, address, session.view().address) ??
      session.tryServer(address, token, company_id),
    'session.enrol': async ({ address, code }) =>
      refuseOtherServer(policy, address, session.view().address) ?? session.enrol(address, code),
    'session.offer': async ({ address }) =>
      refuseOtherServer(policy, address, session.view().address) ?? session.offer(address),
    'session.sign_in': async ({ address }) =>
      refuseOtherServer(policy, address, session.view().address) ?? session.signIn(address),
    'session.cancel_sign_in': async () => {
      session.cancelSignIn();
      return ok({});
    },
    'session.connect': async (input) =>
      ('address' in input
        ? refuseOtherServer(policy, input.address, session.view().address)
        : null) ?? session.connect(input),
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
    'rest.request': async ({ endpoint, input, account }) =>
      (isHostOnly(endpoint) ? badInput('A window is never given a token.') : null) ??
      session.request(endpoint, input, account),
    'reach.check': () => session.reach(),
  } satisfies Partial<Methods>;
};

const phoneMethods = ({ phone, notice }: MethodParts) =>
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
    'phone.notice': async ({ text }) => {
      notice.text = text;
      return ok({});
    },
  }) satisfies Partial<Methods>;

const boxMethods = ({ box }: MethodParts) =>
  ({
    'box.get': async () => ok(box.view()),
    'box.set': ({ on, address }) => box.set(on, address),
    'box.renew': () => box.renew(),
    'box.list': async () => ok({ reports: box.list() }),
    'box.read': ({ report, photo, offset, length }) => box.read(report, photo, offset, length),
    'box.discard': async ({ report, reason }) => nothing(await box.discard(report, reason)),
    'box.restore': async ({ report }) => nothing(await box.restore(report)),
    'box.tell': async ({ outcomes }) => nothing(await box.tell(outcomes)),
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

const evidenceMethods = ({ evidence }: MethodParts) =>
  ({
    'evidence.open': (input) => evidence.open(input),
    'evidence.read': ({ pack, offset }) => evidence.read(pack, offset),
    'evidence.close': async ({ pack }) => {
      await evidence.close(pack);
      return ok({});
    },
  }) satisfies Partial<Methods>;

const journalMethods = ({ journal, store, photos, origins }: MethodParts) =>
  ({
    'database.place': ({ origin }) => origins.seen(origin),
    'database.report': ({ state }) => store.report(state),
    'journal.append': async ({ operations }) => nothing(await journal.append(operations)),
    'journal.settle': async ({ operation_ids, links }) => {
      const settled = await journal.settle(operation_ids, links);
      photos.settled();
      return nothing(settled);
    },
    'journal.list': async () => ok(journal.list()),
    'journal.unreadable': async () => ok({ lines: await journal.unreadable() }),
    'journal.settled': async ({ operation_ids }) =>
      ok({ operation_ids: journal.settled(operation_ids) }),
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
  ...boxMethods(parts),
  ...photoMethods(parts),
  ...evidenceMethods(parts),
  ...journalMethods(parts),
});

/** Returns a `bad_input` problem with one sentence. */
export const badInput = (message: string): Result<never> =>
  fail({ kind: 'bad_input', messages: [message], fields: {} });
