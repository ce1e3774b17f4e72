/**
 * Formats numbers, sizes, times and plurals for one language with Intl. Pure: the clock is an argument, so that "today" can
 * be tested.
 */
export interface Format {
  /** The locale of dates and numbers: `en-GB`. */
  readonly locale: string;
  readonly number: (value: number) => string;
  /** Keeps every decimal digit, up to 20. */
  readonly exact: (value: number) => string;
  /** `4.1 MB`: decimal units, as in the systems' file managers. */
  readonly bytes: (value: number) => string;
  readonly percent: (share: number) => string;
  /** `20 Nov 2026, 09:10` */
  readonly moment: (at: number) => string;
  /** `today 14:32`, `yesterday 09:10`, `Wed 18 Nov`, `3 Mar 2025` */
  readonly near: (at: number, now: number) => string;
  /** `14:32` if today, else as `near`. */
  readonly lately: (at: number, now: number) => string;
  readonly time: (at: number) => string;
  /** As `near`, with the time on every day. */
  readonly day_time: (at: number, now: number) => string;
  /** `today`, `yesterday`, `Wed 18 Nov`, `3 Mar 2025` */
  readonly day_near: (at: number, now: number) => string;
  readonly day: (at: number) => string;
  /** `9 Nov`, where the year is clear from the context. */
  readonly day_month: (at: number) => string;
  /** A remaining time, never zero: `28 seconds`, `4 minutes`, `2 hours`. */
  readonly span: (ms: number) => string;
  /** A duration: `0 minutes`, `18 minutes`, `5 hours`, `3 days`. */
  readonly lasted: (ms: number) => string;
  /** Picks the plural form: `count(3, {one: '# photo', other: '# photos'})`. */
  readonly count: (value: number, forms: Forms) => string;
  readonly list: (parts: readonly string[]) => string;
}

type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }>;

const DAY = 86_400_000;
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

const midnight = (at: number): number => {
  const day = new Date(at);
  day.setHours(0, 0, 0, 0);
  return day.getTime();
};

export const formatFor = (locale: string, words: { today: string; yesterday: string }): Format => {
  const plain = new Intl.NumberFormat(locale);
  const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 });
  const one = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
  const share = new Intl.NumberFormat(locale, { style: 'percent' });
  const plural = new Intl.PluralRules(locale);
  // Always the 24-hour clock: "a.m." is easily overlooked.
  const clock = new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  const full = new Intl.DateTimeFormat(locale, {
    dateStyle: 'medium',
    timeStyle: 'short',
    hourCycle: 'h23',
  });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const thisYear = new Intl.DateTimeFormat(locale, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
  });
  const dayMonth = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' });
  const conjunction = new Intl.ListFormat(locale, { type: 'conjunction' });
  const unit = (name: string) =>
    new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'long' });
  const seconds = unit('second');
  const minutes = unit('minute');
  const hours = unit('hour');
  const days = unit('day');

  const daysAgo = (at: number, now: number): number =>
    Math.round((midnight(now) - midnight(at)) / DAY);
  const day_near = (at: number, now: number): string => {
    const days = daysAgo(at, now);
    if (days === 0) return words.today;
    if (days === 1) return words.yesterday;
    return new Date(at).getFullYear() === new Date(now).getFullYear()
      ? thisYear.format(at)
      : date.format(at);
  };
  const near = (at: number, now: number): string => {
    const days = daysAgo(at, now);
    return days === 0 || days === 1
      ? `${day_near(at, now)} ${clock.format(at)}`
      : day_near(at, now);
  };

  return {
    locale,
    number: (value) => plain.format(value),
    exact: (value) => exact.format(value),
    bytes: (value) => {
      let size = Math.max(0, value);
      let step = 0;
      while (size >= 999.95 && step < UNITS.length - 1) {
        size /= 1000;
        step += 1;
      }
      return `${step === 0 ? plain.format(size) : one.format(size)} ${UNITS[step] ?? 'B'}`;
    },
    percent: (value) => share.format(value),
    moment: (at) => full.format(at),
    near,
    day_near,
    day_time: (at, now) => `${day_near(at, now)} ${clock.format(at)}`,
    lately: (at, now) => (midnight(at) === midnight(now) ? clock.format(at) : near(at, now)),
    time: (at) => clock.format(at),
    day: (at) => date.format(at),
    day_month: (at) => dayMonth.format(at),
    span: (ms) => {
      const whole = Math.max(1, Math.ceil(ms / 1000));
      if (whole < 90) return seconds.format(whole);
      if (whole < 5400) return minutes.format(Math.round(whole / 60));
      return hours.format(Math.round(whole / 3600));
    },
    lasted: (ms) => {
      const whole = Math.round(ms / 60_000);
      if (whole < 90) return minutes.format(whole);
      if (whole < 48 * 60) return hours.format(Math.round(whole / 60));
      return days.format(Math.round(whole / 1440));
    },
    count: (value, forms) =>
      (forms[plural.select(value)] ?? forms.other).replace('#', plain.format(value)),
    list: (parts) => conjunction.format(parts),
  };
};
