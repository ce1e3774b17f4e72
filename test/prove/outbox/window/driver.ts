/**
 * The window of the outbox proof: the renderer's real data, outbox, photo and host modules in a page without screens, driven by
 * the runner instead of a person. Its carrier reports each call before and after, so that a SIGKILL hits a named point; the
 * product contains none of this.
 */
import '../../../../src/renderer/lockdown.ts';
import { ulid } from 'ulid';
import { type Carrier, ENTERED, entered } from '../../../../src/contract/carrier.ts';
import { emptyFields } from '../../../../src/renderer/data/model/near-miss-rows.ts';
import {
  addPhotos,
  deleteNearMiss,
  editNearMiss,
  restoreNearMiss,
  saveNearMiss,
} from '../../../../src/renderer/data/near-misses/near-misses.ts';
import { htmlOf } from '../../../../src/renderer/data/model/text.ts';
import { browserCarrier } from '../../../../src/renderer/host/browser-carrier.ts';
import { createHost } from '../../../../src/renderer/host/client.ts';
import { retryNow, cancelOperation } from '../../../../src/renderer/outbox/queue/queue.ts';
import { history } from '../../../../src/renderer/data/near-misses/history.ts';
import { startWindow, type StartedWindow } from '../../../../src/renderer/outbox/start.ts';
import { takeIn } from '../../../../src/renderer/photos/intake.ts';
import {
  photoBytes,
  type Action,
  type Driver,
  type Outcome,
  type PhotoSpec,
  type Point,
} from '../actions.ts';

declare global {
  interface Window {
    /** Provided by the runner. */
    spotterPoint(point: Point): Promise<void>;
    driver: Driver;
  }
}

/** Calls that no run cares about. */
const quiet = new Set(['session.get', 'reach.check', 'settings.get', 'app.info', 'photos.read']);

let starting = true;
const real = browserCarrier(
  location.origin,
  entered.parse(JSON.parse(sessionStorage.getItem(ENTERED) ?? 'null')),
);
const carrier: Carrier = {
  async call(method, input, bytes) {
    if (quiet.has(method)) return real.call(method, input, bytes);
    const endpoint = (input as { readonly endpoint?: string } | null)?.endpoint ?? '';
    const point = { method, endpoint, starting, problem: null };
    await window.spotterPoint({ ...point, when: 'before' });
    const reply = await real.call(method, input, bytes);
    await window.spotterPoint({ ...point, when: 'after' });
    return reply;
  },
  listen: real.listen,
};
const host = createHost(carrier);

const scopeOf = async () => {
  const session = await host.call('session.get', {});
  const view = session.ok ? session.value : null;
  return {
    account: view?.account ?? '',
    company_id: view?.company?.id ?? 0,
    project_id: view?.project?.id ?? 0,
  };
};

const said = (
  answer: { readonly ok: true } | { readonly ok: false; readonly problem: { kind: string } },
): Outcome => (answer.ok ? { said: 'saved' } : { said: 'refused', detail: answer.problem.kind });

/** Null if all were imported, else the reason. */
const intake = async (
  open: StartedWindow,
  account: string,
  draft_id: string,
  photos: readonly PhotoSpec[],
): Promise<string | null> => {
  const files = photos.map((photo) => new File([photoBytes(photo)], `photo-${photo.seed}.jpg`));
  const taken = await takeIn(open, { account, draft_id }, files);
  const refused = taken.find((one) => !one.ok);
  return refused === undefined ? null : JSON.stringify(refused);
};

const perform = async (open: StartedWindow, action: Action): Promise<Outcome> => {
  const { db } = open;
  const { key } = action;
  const scope = await scopeOf();
  switch (action.do) {
    case 'create':
    case 'save_again': {
      if (scope.account === '') return { said: 'nothing', detail: 'no session' };
      const photos = action.do === 'create' ? action.photos : [];
      const refused = await intake(open, scope.account, key, photos);
      if (refused !== null) return { said: 'refused', detail: refused };
      const fields = {
        ...emptyFields,
        incident_id: action.incident_id,
        description: htmlOf(action.text),
      };
      // Only a record that was cancelled or never saved can be saved again.
      if (action.do === 'save_again' && (await db.drafts.get(key)) === undefined)
        return { said: 'nothing' };
      return said(await saveNearMiss(open, { id: key, ...scope, fields }));
    }
    case 'edit':
      // A record in the bin can only be restored.
      if ((await db.near_misses.get(key))?.removed_at) return { said: 'nothing' };
      return said(await editNearMiss(open, key, { description: htmlOf(action.text) }));
    case 'delete': {
      const row = await db.near_misses.get(key);
      if (row === undefined || row.removed_at !== null) return { said: 'nothing' };
      const done = await deleteNearMiss(open, key);
      return done.ok ? { said: 'saved', detail: done.value } : said(done);
    }
    case 'restore': {
      const row = await db.near_misses.get(key);
      if (row === undefined || row.removed_at === null) return { said: 'nothing' };
      return said(await restoreNearMiss(open, key));
    }
    case 'take_back': {
      const lane = await db.operations.where('lane').equals(key).toArray();
      const create = lane.find((operation) => operation.kind === 'near_miss.create');
      if (create === undefined) return { said: 'nothing' };
      const done = await cancelOperation(open, create.id);
      if (!done.ok) return said(done);
      return (await db.drafts.get(key)) === undefined ? { said: 'nothing' } : { said: 'saved' };
    }
    case 'add_photo': {
      const row = await db.near_misses.get(key);
      if (row === undefined || row.removed_at !== null) return { said: 'nothing' };
      const draft_id = ulid();
      const refused = await intake(open, scope.account, draft_id, [action.photo]);
      if (refused !== null) return { said: 'refused', detail: refused };
      return said(await addPhotos(open, key, draft_id));
    }
  }
};

const state = async (open: StartedWindow) => {
  const { db } = open;
  const [operations, tombstones, quarantined, photos, meta, session, journal] = await Promise.all([
    db.operations.orderBy('id').toArray(),
    db.tombstones.count(),
    db.quarantine.count(),
    db.photos.toArray(),
    db.meta.get('hold'),
    host.call('session.get', {}),
    // Bypasses the reporting carrier, because this call is no step of the product.
    real.call('journal.list', {}),
  ]);
  const hold = meta?.value as { readonly problem: { readonly kind: string } } | null | undefined;
  const listed = journal.result as { ok: boolean; value?: { operations: readonly unknown[] } };
  return {
    leads: open.engine.leads(),
    session: session.ok ? session.value.state : session.problem.kind,
    operations: operations.map(
      ({ id, kind, lane, state: now, attempts, last_problem, ...rest }) => ({
        id,
        kind,
        lane,
        attempts,
        state: now,
        problem: last_problem === null ? null : JSON.stringify(last_problem),
        // The content of a parked operation explains why it was parked.
        about: now === 'parked' ? JSON.stringify([rest.payload, rest.checkpoint]) : null,
      }),
    ),
    tombstones,
    quarantined,
    hold: hold?.problem.kind ?? null,
    journal: listed.ok ? (listed.value?.operations.length ?? -1) : -1,
    undelivered: photos.filter(
      (photo) => photo.near_miss_key !== null && photo.state !== 'delivered',
    ).length,
  };
};

const driverOf = (open: StartedWindow): Driver => ({
  async connect(input) {
    const answer = await host.call('session.connect', { kind: 'server', ...input });
    return answer.ok ? null : JSON.stringify(answer.problem);
  },
  act: (action) => perform(open, action),
  state: () => state(open),
  async sendAgain() {
    const parked = await open.db.operations
      .filter((operation) => operation.state === 'parked')
      .toArray();
    if (parked.length > 0)
      await retryNow(
        open,
        parked.map((operation) => operation.id),
      );
  },
});

// Makes every backoff as short as possible; the proof does not depend on their length.
const answer = await startWindow(host, { history, engine: { random: () => 0 } });
starting = false;
if (answer.ok) window.driver = driverOf(answer.value);
await window.spotterPoint({
  when: 'open',
  method: '',
  endpoint: '',
  starting: false,
  problem: answer.ok ? null : JSON.stringify(answer.problem),
});
