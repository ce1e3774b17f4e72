/** Pure: a moment by this computer's zone, in digits that files and date fields read: `2026-11-20`, `2026-11-20 09:10`. */

export const twoDigits = (value: number): string => String(value).padStart(2, '0');

export const localDay = (at: number): string => {
  const d = new Date(at);
  return `${d.getFullYear()}-${twoDigits(d.getMonth() + 1)}-${twoDigits(d.getDate())}`;
};

export const localMinute = (at: number): string => {
  const d = new Date(at);
  return `${localDay(at)} ${twoDigits(d.getHours())}:${twoDigits(d.getMinutes())}`;
};
