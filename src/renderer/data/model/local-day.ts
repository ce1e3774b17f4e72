/** Formats a moment in local time, in digits for files and date fields: `2026-11-20`, `2026-11-20 09:10`. Pure. */

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const localDay = (at: number): string => {
  const d = new Date(at);
  return `${d.getFullYear()}-${twoDigits(d.getMonth() + 1)}-${twoDigits(d.getDate())}`;
};

export const localMinute = (at: number): string => {
  const d = new Date(at);
  return `${localDay(at)} ${twoDigits(d.getHours())}:${twoDigits(d.getMinutes())}`;
};
