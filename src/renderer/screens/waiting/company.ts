/** Pure: insurances, members, webhooks and the company's own data that wait: what their item is called, what each step says. */
import type { Catalog } from '../../../contract/rest/catalog.ts';
import type { CompanyLane } from '../../data/lanes.ts';
import { factsOf } from '../../entries/entry.ts';
import type { QueueEntryView } from '../../outbox/queue.ts';
import { words } from '../../words/wing-words.ts';
import { vendorName } from '../company/insurances/names.ts';
import { resourceName } from '../company/webhooks/view.ts';
import { kindWord } from './kind-words.ts';

type Entries = readonly Pick<QueueEntryView, 'kind' | 'about' | 'state'>[];

const hookAbout = (entries: Entries): string =>
  entries.find(({ kind, about }) => factsOf(kind)?.record === 'hook' && about)?.about ?? '';

export const companyTitle = (
  lane: CompanyLane,
  entries: Entries,
  catalog: Catalog | null,
): string => {
  switch (lane.kind) {
    case 'insurances':
      return words.insurances.waiting_title(vendorName(catalog, lane.vendor_id));
    case 'members':
      return words.members.waiting_title;
    case 'incidents':
      return words.waiting.incident_title(entries[0]?.about ?? '');
    case 'own_data':
      return words.own_data.waiting_title(words.own_data.kinds[lane.of]);
    case 'webhooks':
      return words.webhooks.waiting_title(hookAbout(entries));
  }
};

/** Can the person put it right in a form? Who comes or goes is not edited: it is sent again or taken back. */
export const fixable = ({ kind }: Pick<QueueEntryView, 'kind'>): boolean =>
  factsOf(kind)?.fixable ?? false;

/** `Near Misses (create)`, as an entry keeps it, as people say it. */
const sayTrigger = (about: string): string => {
  const { events, trigger } = words.webhooks;
  const [, resource = '', event = ''] = /^(.+) \((create|update|delete)\)$/.exec(about) ?? [];
  const said = events[event as keyof typeof events];
  return said === undefined ? about : trigger(resourceName(resource), said);
};

export const stepName = ({
  kind,
  about = '',
}: Pick<QueueEntryView, 'kind'> & { about?: string }) => {
  if (about === '') return kindWord(kind);
  const what = factsOf(kind)?.record === 'trigger' ? sayTrigger(about) : about;
  return words.waiting.step_about(kindWord(kind), what);
};

/** `New insurance · Insurance changed (2)`: what waits, each kind once. */
export const companyLine = (entries: Entries): string =>
  [...Map.groupBy(entries, ({ kind }) => kind)]
    .map(([kind, of]) =>
      of.length === 1 ? kindWord(kind) : words.waiting.operation_times(kindWord(kind), of.length),
    )
    .join(' · ');

/** Who may do what was refused (403); null where the common words say it, and of a kind of another Spotter. */
export const whoMay = (kind: string): string | null => {
  switch (factsOf(kind)?.record) {
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
    case 'tm_attachment':
    case 'incident':
    case undefined:
      return null;
  }
};
