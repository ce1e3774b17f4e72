/** Pure: titles and step names of pending insurances, members, webhooks and company data. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { CompanyLane } from '../../data/model/lanes.ts';
import { traitsOf } from '../../operations/operation.ts';
import type { QueuedOperation } from '../../outbox/queue/queue.ts';
import { words } from '../../words/company-words.ts';
import { vendorName } from '../company/insurances/names.ts';
import { resourceName } from '../company/webhooks/view.ts';
import { kindWord } from './kind-words.ts';

type Entries = readonly Pick<QueuedOperation, 'kind' | 'about' | 'state'>[];

const hookAbout = (operations: Entries): string =>
  operations.find(({ kind, about }) => traitsOf(kind)?.record === 'hook' && about)?.about ?? '';

export const companyTitle = (
  lane: CompanyLane,
  operations: Entries,
  catalog: Catalog | null,
): string => {
  switch (lane.kind) {
    case 'insurances':
      return words.insurances.waiting_title(vendorName(catalog, lane.vendor_id));
    case 'members':
      return words.members.waiting_title;
    case 'incidents':
      return words.waiting.incident_title(operations[0]?.about ?? '');
    case 'own_data':
      return words.own_data.waiting_title(words.own_data.kinds[lane.of]);
    case 'webhooks':
      return words.webhooks.waiting_title(hookAbout(operations));
  }
};

/** True if a form can fix the operation. A membership cannot be edited, only resent or cancelled. */
export const fixable = ({ kind }: Pick<QueuedOperation, 'kind'>): boolean =>
  traitsOf(kind)?.fixable ?? false;

/** Translates a trigger as stored in an operation: `Near Misses (create)`. */
const sayTrigger = (about: string): string => {
  const { events, trigger } = words.webhooks;
  const [, resource = '', event = ''] = /^(.+) \((create|update|delete)\)$/.exec(about) ?? [];
  const said = events[event as keyof typeof events];
  return said === undefined ? about : trigger(resourceName(resource), said);
};

export const stepName = ({
  kind,
  about = '',
}: Pick<QueuedOperation, 'kind'> & { about?: string }) => {
  if (about === '') return kindWord(kind);
  const what = traitsOf(kind)?.record === 'trigger' ? sayTrigger(about) : about;
  return words.waiting.step_about(kindWord(kind), what);
};

/** Each kind of pending change once, with its count: `New insurance · Insurance changed (2)`. */
export const companyLine = (operations: Entries): string =>
  [...Map.groupBy(operations, ({ kind }) => kind)]
    .map(([kind, of]) =>
      of.length === 1 ? kindWord(kind) : words.waiting.operation_times(kindWord(kind), of.length),
    )
    .join(' · ');

/**
 * Who may perform an action refused with 403. Null if the common text suffices or another version of Spotter made the kind.
 */
export const whoMay = (kind: string): string | null => {
  switch (traitsOf(kind)?.record) {
    case 'insurance':
      return words.insurances.who_may;
    case 'membership':
      return words.members.who_may;
    case 'company_record':
      return words.own_data.who_may;
    case 'hook':
    case 'trigger':
      return words.webhooks.who_may;
    case 'near_miss':
    case 'photo':
    case 'comment':
    case 'tm_attachment':
    case 'incident':
    case undefined:
      return null;
  }
};
