/** The menus of a pending item and of one of its photos. */
import { makesNearMiss } from '../../operations/operation.ts';
import type { QueuedOperation, QueueItem } from '../../outbox/queue/queue.ts';
import { navigate } from '../../router.ts';
import { words } from '../../words/company-words.ts';
import type { Actions } from './actions.ts';
import { stepName } from './company.ts';
import { openHref } from './item/item-href.ts';
import { type Pace, pause, sendNow } from './item/item-pace.ts';
import { isIncident, isNearMiss } from './item/item-text.ts';
import { ofNearMiss } from './kind-words.ts';

/** An operation of parts/menu/Menu.svelte. */
interface MenuEntry {
  readonly label: string;
  readonly run: () => void;
  readonly danger?: boolean;
}

interface Given {
  readonly item: QueueItem;
  readonly pace: Pace;
  readonly actions: Actions;
  /** Opens the form of an incident created here. */
  readonly edit: () => void;
}

const toLookAt = ({ item, edit }: Given): readonly MenuEntry[] => {
  const t = words.waiting;
  if (isIncident(item))
    return item.operations.some((operation) => operation.can_take_back)
      ? [{ label: t.edit, run: edit }]
      : [];
  const hash = openHref(item).replace(/^\/#/, '');
  const toForm = () => void navigate('/near-misses/:key/edit', { params: { key: item.key } });
  return [
    { label: t.open, run: () => (location.hash = hash) },
    ...(isNearMiss(item) ? [{ label: t.edit, run: toForm }] : []),
  ];
};

const toSend = ({ item, pace: { held, going }, actions }: Given): readonly MenuEntry[] => {
  const t = words.waiting;
  const all = item.operations.map(({ id }) => id);
  const waiting = item.operations.flatMap(({ id, state }) => (state === 'waiting' ? id : []));
  return [
    ...(item.state === 'sending' ? [] : [{ label: t.retry, run: () => actions.retry(all) }]),
    ...(waiting.length > 0 ? [{ label: t.set_aside, run: () => actions.aside(waiting) }] : []),
    ...(held.length > 0 ? [{ label: t.traffic.send_now, run: () => void sendNow(held) }] : []),
    ...(going.length > 0 ? [{ label: t.traffic.pause, run: () => void pause(going) }] : []),
  ];
};

/**
 * A photo cannot be cancelled apart from its report while that is pending. An incident must stay while near misses need it.
 */
const canTake = (operation: QueuedOperation, { operations, needed_by }: QueueItem): boolean =>
  operation.can_take_back &&
  needed_by === 0 &&
  (operation.photo === null || !operations.some(makesNearMiss));

const toGiveUp = ({ item, actions }: Given): readonly MenuEntry[] => {
  const t = words.waiting;
  if (item.missing !== null && isNearMiss(item))
    return [
      { label: t.as_new, run: () => actions.renew(item.key) },
      { label: t.drop, danger: true, run: () => actions.drop(item.key) },
    ];
  return item.operations
    .filter((operation) => canTake(operation, item))
    .map((operation) => {
      const whole = makesNearMiss(operation);
      const label = whole
        ? t.take_back
        : t.take_back_of(operation.photo?.filename ?? stepName(operation));
      return { label, danger: true, run: () => actions.take(operation.id, whole) };
    });
};

export const itemMenu = (given: Given): readonly MenuEntry[] => [
  ...toLookAt(given),
  ...toSend(given),
  { label: words.waiting.export_one, run: () => given.actions.save(given.item.key) },
  ...toGiveUp(given),
];

/** The menu of a photo; empty for other operations and for parked photos. */
export const photoMenu = (
  operation_id: string,
  { held, going }: Pace,
  { leaveOut }: Pick<Actions, 'leaveOut'>,
): readonly MenuEntry[] => {
  const t = words.waiting.traffic;
  const operation = [...held, ...going].find(({ id }) => id === operation_id);
  if (!operation?.photo) return [];
  const { filename } = operation.photo;
  const early = operation.step === null && ofNearMiss(operation);
  return [
    held.includes(operation)
      ? { label: t.send_one(filename), run: () => void sendNow([operation]) }
      : { label: t.pause_one(filename), run: () => void pause([operation]) },
    ...(early
      ? [{ label: t.cancel_one(filename), danger: true, run: () => leaveOut(operation.id) }]
      : []),
  ];
};
