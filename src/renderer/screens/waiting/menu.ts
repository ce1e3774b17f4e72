/** The menus behind the dots: all that can be done with something that waits, and with one photo of it. */
import { makesNearMiss } from '../../entries/entry.ts';
import type { QueueEntryView, QueueItem } from '../../outbox/queue.ts';
import { navigate } from '../../router.ts';
import { words } from '../../words/words.ts';
import type { Actions } from './actions.ts';
import { stepName } from './company.ts';
import { openHref } from './item-href.ts';
import { type Pace, pause, sendNow } from './item-pace.ts';
import { isIncident, isNearMiss } from './item-text.ts';
import { ofNearMiss } from './kind-words.ts';

/** An entry of parts/Menu.svelte. */
interface MenuEntry {
  readonly label: string;
  readonly run: () => void;
  readonly danger?: boolean;
}

interface Given {
  readonly item: QueueItem;
  readonly pace: Pace;
  readonly actions: Actions;
  /** Of an incident opened here: its form, where it waits. */
  readonly edit: () => void;
}

const toLookAt = ({ item, edit }: Given): readonly MenuEntry[] => {
  const t = words.waiting;
  if (isIncident(item))
    return item.entries.some((entry) => entry.can_take_back) ? [{ label: t.edit, run: edit }] : [];
  const hash = openHref(item).replace(/^\/#/, '');
  const toForm = () => void navigate('/near-misses/:key/edit', { params: { key: item.key } });
  return [
    { label: t.open, run: () => (location.hash = hash) },
    ...(isNearMiss(item) ? [{ label: t.edit, run: toForm }] : []),
  ];
};

const toSend = ({ item, pace: { held, going }, actions }: Given): readonly MenuEntry[] => {
  const t = words.waiting;
  const all = item.entries.map(({ id }) => id);
  const waiting = item.entries.flatMap(({ id, state }) => (state === 'waiting' ? id : []));
  return [
    ...(item.state === 'sending' ? [] : [{ label: t.retry, run: () => actions.retry(all) }]),
    ...(waiting.length > 0 ? [{ label: t.set_aside, run: () => actions.aside(waiting) }] : []),
    ...(held.length > 0 ? [{ label: t.traffic.send_now, run: () => void sendNow(held) }] : []),
    ...(going.length > 0 ? [{ label: t.traffic.pause, run: () => void pause(going) }] : []),
  ];
};

/** A photo goes with the report it belongs to, while that waits too; an incident stays while near misses need it. */
const canTake = (entry: QueueEntryView, { entries, needed_by }: QueueItem): boolean =>
  entry.can_take_back && needed_by === 0 && (entry.photo === null || !entries.some(makesNearMiss));

const toGiveUp = ({ item, actions }: Given): readonly MenuEntry[] => {
  const t = words.waiting;
  if (item.missing !== null && isNearMiss(item))
    return [
      { label: t.as_new, run: () => actions.renew(item.key) },
      { label: t.drop, danger: true, run: () => actions.drop(item.key) },
    ];
  return item.entries
    .filter((entry) => canTake(entry, item))
    .map((entry) => {
      const whole = makesNearMiss(entry);
      const label = whole ? t.take_back : t.take_back_of(entry.photo?.filename ?? stepName(entry));
      return { label, danger: true, run: () => actions.take(entry.id, whole) };
    });
};

export const itemMenu = (given: Given): readonly MenuEntry[] => [
  ...toLookAt(given),
  ...toSend(given),
  { label: words.waiting.export_one, run: () => given.actions.save(given.item.key) },
  ...toGiveUp(given),
];

/** Nothing for what is no photo, and for one that is parked. */
export const photoMenu = (
  entry_id: string,
  { held, going }: Pace,
  { leaveOut }: Pick<Actions, 'leaveOut'>,
): readonly MenuEntry[] => {
  const t = words.waiting.traffic;
  const entry = [...held, ...going].find(({ id }) => id === entry_id);
  if (!entry?.photo) return [];
  const { filename } = entry.photo;
  const early = entry.step === null && ofNearMiss(entry);
  return [
    held.includes(entry)
      ? { label: t.send_one(filename), run: () => void sendNow([entry]) }
      : { label: t.pause_one(filename), run: () => void pause([entry]) },
    ...(early
      ? [{ label: t.cancel_one(filename), danger: true, run: () => leaveOut(entry.id) }]
      : []),
  ];
};
