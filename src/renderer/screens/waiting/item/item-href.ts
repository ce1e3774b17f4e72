/** Addresses where a pending item can be viewed and fixed. */
import type { CompanyLane } from '../../../data/model/lanes.ts';
import type { QueueItem } from '../../../outbox/queue/queue.ts';
import { p } from '../../../router.ts';

const companyHref = (lane: CompanyLane): string => {
  switch (lane.kind) {
    case 'insurances':
      return p('/insurances/:vendor', { params: { vendor: String(lane.vendor_id) } });
    case 'incidents':
      return p('/new');
    case 'own_data':
      return p('/company-data/:kind', { params: { kind: lane.of } });
    case 'members':
      return p('/members');
    case 'webhooks':
      return p('/webhooks');
  }
};

export const openHref = ({ key, company, tm_entry }: QueueItem): string => {
  if (company !== null) return companyHref(company);
  return tm_entry === null
    ? p('/near-misses/:key', { params: { key } })
    : p('/time-and-material/:entry', { params: { entry: String(tm_entry.id ?? 'all') } });
};

export const editHref = ({ key, company }: QueueItem): string =>
  company === null ? p('/near-misses/:key/edit', { params: { key } }) : companyHref(company);
