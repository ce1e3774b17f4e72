/**
 * Pure: the standing of an insurance by its dates and the server's day, its display texts, and the validation of its form.
 */
import { insuranceWrite } from '../../../../contract/rest/insurances.ts';
import {
  INSURANCE_FIELDS,
  type InsuranceField,
  type InsuranceFields,
  insuranceName,
  type InsuranceView,
} from '../../../data/company/insurance-rows.ts';
import { words } from '../../../words/company-words.ts';
import type { Tone } from '../../../near-miss-form/view.ts';
import type { CsvField } from './csv-plan.ts';

const SOON_DAYS = 30;

export type Standing =
  | { readonly kind: 'expiring'; readonly days: number }
  | { readonly kind: 'expired' | 'no_end' | 'active' | 'future' | 'exempt' };

/** The server's day: `YYYY-MM-DD` in UTC, as the service counts days (decisions §2.4). */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The last day is still covered. */
export const standingOf = (
  { exempt, effective_date, expiration_date }: InsuranceFields,
  today: string,
): Standing => {
  if (exempt === true) return { kind: 'exempt' };
  if (typeof expiration_date !== 'string') return { kind: 'no_end' };
  const days = daysBetween(today, expiration_date);
  if (days < 0) return { kind: 'expired' };
  if (days <= SOON_DAYS) return { kind: 'expiring', days };
  return typeof effective_date === 'string' && effective_date > today
    ? { kind: 'future' }
    : { kind: 'active' };
};

/** By urgency: expired, expiring soon, without end, then the rest. */
const ORDER = ['expired', 'expiring', 'no_end', 'active', 'future', 'exempt'] as const;

export const isUrgent = ({ kind }: Standing): boolean => ORDER.indexOf(kind) <= 2;

export const inOrder = (
  views: readonly InsuranceView[],
  today: string,
): readonly { readonly view: InsuranceView; readonly standing: Standing }[] =>
  views
    .map((view) => ({ view, standing: standingOf(view.fields, today) }))
    .sort(
      (a, b) =>
        ORDER.indexOf(a.standing.kind) - ORDER.indexOf(b.standing.kind) ||
        String(a.view.fields.expiration_date ?? '').localeCompare(
          String(b.view.fields.expiration_date ?? ''),
        ) ||
        insuranceName(a.view.fields).localeCompare(insuranceName(b.view.fields)),
    );

/** The rank of all standings that need no attention. */
const CALM = ORDER.indexOf('active');
const trouble = (standing: Standing): readonly [number, number] => [
  Math.min(ORDER.indexOf(standing.kind), CALM),
  standing.kind === 'expiring' ? standing.days : 0,
];

/** Sort order: worse first; null ranks as no trouble. */
export const byTrouble = (a: Standing | null, b: Standing | null): number => {
  const [x, y] = [a, b].map((one) => (one === null ? [CALM, 0] : trouble(one)));
  return (x?.[0] ?? 0) - (y?.[0] ?? 0) || (x?.[1] ?? 0) - (y?.[1] ?? 0);
};

/** The most urgent standing of a vendor's insurances; null if none is urgent. */
export const worstOf = (standings: readonly Standing[]): Standing | null =>
  standings.filter(isUrgent).sort(byTrouble)[0] ?? null;

const TONES: Readonly<Record<Exclude<Standing['kind'], 'expiring'>, Tone>> = {
  expired: 'bad',
  no_end: 'wait',
  active: 'ok',
  future: 'info',
  exempt: 'plain',
};

export const standingWord = (
  standing: Standing,
): { readonly tone: Tone; readonly word: string } => {
  const t = words.insurances.standing;
  if (standing.kind === 'expiring')
    return { tone: 'wait', word: standing.days === 0 ? t.today : t.expiring(standing.days) };
  return { tone: TONES[standing.kind], word: t[standing.kind] };
};

/** A day for display. Returns an invalid value unchanged. */
const sayDay = (value: unknown): string => {
  const at = Date.parse(`${String(value)}T12:00:00`);
  return Number.isNaN(at) ? String(value) : words.format.day(at);
};

/** Formats `1000000.00` as an amount. Returns a non-number unchanged. */
const sayAmount = (value: unknown): string => {
  const amount = Number(value);
  return Number.isFinite(amount) && String(value).trim() !== ''
    ? words.format.number(amount)
    : String(value);
};

/** The line below an insurance's name. */
export const traitsOf = ({ fields }: InsuranceView): string => {
  const t = words.insurances;
  const { effective_date: from, expiration_date: to, policy_number, limit, status } = fields;
  const dates =
    from && to
      ? t.from_to(sayDay(from), sayDay(to))
      : to
        ? t.until(sayDay(to))
        : from
          ? t.since(sayDay(from))
          : t.no_dates;
  const known = t.status[String(status) as keyof typeof t.status] ?? '';
  return [
    dates,
    policy_number ? t.policy(String(policy_number)) : '',
    limit ? t.limit(sayAmount(limit)) : '',
    status === 'undecided' ? '' : known,
  ]
    .filter(Boolean)
    .join(' · ');
};

export const labels = (): Readonly<Record<CsvField, string>> => {
  const { form, csv } = words.insurances;
  return {
    ...(Object.fromEntries(INSURANCE_FIELDS.map((field) => [field, form[field]])) as Record<
      InsuranceField,
      string
    >),
    exempt: words.insurances.standing.exempt,
    id: csv.id,
    vendor: csv.vendor,
  };
};

export const sayField = (field: InsuranceField, value: unknown): string => {
  const t = words.insurances;
  if (value === null || value === undefined || value === '') return t.nothing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (field === 'effective_date' || field === 'expiration_date') return sayDay(value);
  if (field === 'limit') return sayAmount(value);
  if (field === 'status') return t.status[String(value) as keyof typeof t.status] ?? String(value);
  return String(value);
};

/** Validation errors by field (decisions §8). */
export const wrongIn = (
  fields: InsuranceFields,
): Readonly<Partial<Record<InsuranceField, string>>> => {
  const t = words.insurances.form;
  const wrong: Partial<Record<InsuranceField, string>> = {};
  for (const field of INSURANCE_FIELDS) {
    const value = fields[field];
    if (value === null || insuranceWrite.shape[field].safeParse(value).success) continue;
    wrong[field] =
      field === 'limit'
        ? t.bad_limit
        : field === 'effective_date' || field === 'expiration_date'
          ? t.bad_date
          : field === 'status'
            ? t.bad_status
            : t.too_long;
  }
  const { effective_date: from, expiration_date: to } = fields;
  if (typeof from === 'string' && typeof to === 'string' && to < from)
    wrong.expiration_date ??= t.wrong_order;
  if (!fields.name && !fields.insurance_type && !fields.policy_number) wrong.name ??= t.empty;
  return wrong;
};
