/** Pure: the state of a webhook in a word, and the validation of its form (decisions §9.2, §9.6). */
import {
  webhookEventTypes,
  webhookResourceNames,
  type WebhookDelivery,
} from '../../../../contract/rest/webhooks.ts';
import type { HookView } from '../../../data/company/webhook-rows.ts';
import { hookName } from '../../../data/company/webhooks.ts';
import { words } from '../../../words/company-words.ts';
import type { Tone } from '../../../near-miss-form/view.ts';
import type { HookFields } from '../../../data/db/db.ts';

export const standingOf = ({
  row,
  triggers,
}: HookView): { readonly tone: Tone; readonly word: string } | null => {
  const t = words.webhooks.standing;
  if (row?.disabled_at) return { tone: 'bad', word: t.disabled };
  if (row?.failing_since) return { tone: 'bad', word: t.failing };
  if (triggers.length === 0) return { tone: 'wait', word: t.no_triggers };
  return row === null ? null : { tone: 'ok', word: t.works };
};

export const resourceName = (name: string): string => words.webhooks.resources[name] ?? name;

/** Characters shown at the start and end of a long path. The middle may contain a secret of the receiver. */
const PATH_BEGINS = 12;
const PATH_ENDS = 6;

/** A URL's path, shortened for a row, without its query. */
const shortPath = ({ destination_url }: HookView): string => {
  if (!URL.canParse(destination_url)) return '';
  const path = new URL(destination_url).pathname.replace(/\/$/, '');
  return path.length <= PATH_BEGINS + PATH_ENDS + 1
    ? path
    : `${path.slice(0, PATH_BEGINS)}…${path.slice(-PATH_ENDS)}`;
};

/** The subscribed events: listed for one resource, counted for several. */
const eventsOf = ({ triggers }: HookView): string => {
  const t = words.webhooks;
  const has = new Set(triggers.map(({ resource_name }) => resource_name));
  const known = webhookResourceNames.filter((name) => has.delete(name));
  const [first, ...more] = [...known, ...has];
  if (first === undefined) return '';
  if (more.length > 0)
    return t.events_of(triggers.length, [first, ...more].map(resourceName).join(', '));
  const events = webhookEventTypes.filter((type) =>
    triggers.some((one) => one.event_type === type),
  );
  return t.trigger(resourceName(first), events.map((type) => t.events[type]).join(', '));
};

/** Distinguishes a webhook within its list: its path if several share a host, and its events. */
export const noteOf = (view: HookView, all: readonly HookView[]): string => {
  const name = hookName(view);
  const shared = all.some((other) => other.key !== view.key && hookName(other) === name);
  return [shared ? shortPath(view) : '', eventsOf(view)].filter(Boolean).join(' · ');
};

export const isNamespace = (text: string): boolean => /^[a-z-]{1,100}$/.test(text);

/** Matches the service's rules for the spelling: http or https, no credentials. The service checks what it resolves to. */
const isAddress = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hostname } = new URL(text);
  return /^https?:$/.test(protocol) && username + password === '' && hostname !== '';
};

export const wrongIn = (
  fields: HookFields,
): Readonly<Partial<Record<keyof HookFields, string>>> => {
  const t = words.webhooks;
  const { destination_url: url, namespace, api_version } = fields;
  return {
    ...(url.length > 2048
      ? { destination_url: t.long_address }
      : isAddress(url)
        ? {}
        : { destination_url: t.bad_address }),
    ...(isNamespace(namespace) ? {} : { namespace: t.bad_namespace }),
    ...(api_version.trim() === '' || api_version.length > 50 ? { api_version: t.bad_version } : {}),
  };
};

/**
 * True if the server requires new headers with this address, because stored ones are sent only to the origin they were set
 * for.
 */
export function needsHeadersAgain(view: HookView | null, destination_url: string): boolean {
  const row = view?.row;
  if (!row || row.header_names.length === 0 || !URL.canParse(destination_url)) return false;
  return new URL(destination_url).origin !== new URL(row.destination_url).origin;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** Headers the service writes itself (failures: destination_headers). */
const OWN =
  /^(host|content-length|content-encoding|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|http2-settings|proxy-.*|webhook-(id|timestamp|signature))$/i;

/** The error of each header; null if it is valid. */
export const wrongHeaders = (headers: readonly Header[]): readonly (string | null)[] => {
  const t = words.webhooks;
  return headers.map(({ name, value }, at) => {
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/.test(name)) return t.bad_header_name;
    if (OWN.test(name)) return t.refused_header;
    if (!/^[\t\x20-\x7e]+$/.test(value)) return t.bad_header_value;
    const same = headers.findIndex((one) => one.name.toLowerCase() === name.toLowerCase());
    return same < at ? t.twice_header : null;
  });
};

export interface DeliveryFilter {
  readonly event: string;
  /** Local time `YYYY-MM-DDTHH:MM`; '' for no limit. */
  readonly from: string;
  readonly to: string;
}

/** Filters that the server does not offer: event and time. */
export const fits = (
  { event_id, started_at }: Pick<WebhookDelivery, 'event_id' | 'started_at'>,
  { event, from, to }: DeliveryFilter,
): boolean => {
  const at = Date.parse(started_at);
  return (
    event_id.toLowerCase().startsWith(event.trim().toLowerCase()) &&
    (from === '' || at >= Date.parse(from)) &&
    (to === '' || at < Date.parse(to) + 60_000)
  );
};

export const deliveryTone = (outcome: WebhookDelivery['outcome']): Tone =>
  ({ ok: 'ok', retried: 'wait', failed: 'bad' })[outcome] as Tone;
