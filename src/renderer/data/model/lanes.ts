/**
 * Names the lanes of everything except near misses. Pure. There is one lane per vendor (insurances), per project
 * (members), per hook (webhooks), per locally created incident, and per kind of company data. A lane's name
 * identifies its content, so the waiting screen, exports and imports need no row.
 */
import { type OwnDataKind, ownDataKinds } from '../../operations/company/company-record.ts';
import { accountMark } from './near-miss-rows.ts';

export type CompanyLane =
  | { readonly kind: 'insurances'; readonly project_id: number; readonly vendor_id: number }
  | { readonly kind: 'members'; readonly project_id: number }
  /** `incident`: the local id without its minus sign. */
  | { readonly kind: 'incidents'; readonly project_id: number; readonly incident: number }
  /** `hook`: the ULID of a hook created here, or the server's id otherwise. */
  | { readonly kind: 'webhooks'; readonly project_id: number; readonly hook: string }
  /**
   * `project_id` is set for incidents, which belong to a project; null for all other kinds, which belong to the
   * company.
   */
  | { readonly kind: 'own_data'; readonly project_id: number | null; readonly of: OwnDataKind };

const INSURANCES = /^ins-[0-9a-z]{1,20}-(\d{1,16})-(\d{1,16})$/;
const MEMBERS = /^mem-[0-9a-z]{1,20}-(\d{1,16})$/;
const INCIDENTS = /^inc-[0-9a-z]{1,20}-(\d{1,16})-(\d{1,16})$/;
const WEBHOOKS = /^hook-[0-9a-z]{1,20}-(\d{1,16})-([0-7][0-9A-HJKMNP-TV-Z]{25}|\d{1,16})$/;
const OWN_DATA = /^own-[0-9a-z]{1,20}-([a-z_]{1,40})(?:-(\d{1,16}))?$/;

type InProject = Exclude<CompanyLane, { readonly kind: 'own_data' }>;

/** The common prefix of all lanes of one kind in a project. */
export const lanesOf = (kind: InProject['kind'], account: string, project_id: number): string => {
  const prefix = { insurances: 'ins', members: 'mem', webhooks: 'hook', incidents: 'inc' }[kind];
  return `${prefix}-${accountMark(account)}-${project_id}`;
};

export const companyLane = (account: string, lane: CompanyLane): string => {
  if (lane.kind === 'own_data') {
    const of = `own-${accountMark(account)}-${lane.of}`;
    return lane.project_id === null ? of : `${of}-${lane.project_id}`;
  }
  const start = lanesOf(lane.kind, account, lane.project_id);
  switch (lane.kind) {
    case 'insurances':
      return `${start}-${lane.vendor_id}`;
    case 'incidents':
      return `${start}-${lane.incident}`;
    case 'webhooks':
      return `${start}-${lane.hook}`;
    case 'members':
      return start;
  }
};

/** Parses a lane's name; null for any other lane. */
export const companyLaneOf = (lane: string): CompanyLane | null => {
  const insurances = INSURANCES.exec(lane);
  if (insurances)
    return {
      kind: 'insurances',
      project_id: Number(insurances[1]),
      vendor_id: Number(insurances[2]),
    };
  const members = MEMBERS.exec(lane);
  if (members) return { kind: 'members', project_id: Number(members[1]) };
  const incidents = INCIDENTS.exec(lane);
  if (incidents)
    return {
      kind: 'incidents',
      project_id: Number(incidents[1]),
      incident: Number(incidents[2]),
    };
  const hooks = WEBHOOKS.exec(lane);
  if (hooks) return { kind: 'webhooks', project_id: Number(hooks[1]), hook: hooks[2] ?? '' };
  const own = OWN_DATA.exec(lane);
  const of = ownDataKinds.find((one) => one === own?.[1]);
  if (!own || of === undefined || (of === 'incidents') !== (own[2] !== undefined)) return null;
  return { kind: 'own_data', of, project_id: own[2] === undefined ? null : Number(own[2]) };
};
