/** Enter in a single-line field moves to the next field, so that it cannot submit an unfinished report. */
const ONE_LINE =
  'input:not([type=checkbox], [type=radio], [type=file], [type=button], [type=submit], [type=range])';
const FIELDS =
  'input:not([type=file], [type=hidden], :disabled), textarea, select, [contenteditable=true]';

export const goOnByEnter = (event: KeyboardEvent): void => {
  const { key, target, ctrlKey, metaKey, altKey, defaultPrevented, isComposing } = event;
  if (key !== 'Enter' || ctrlKey || metaKey || altKey || defaultPrevented || isComposing) return;
  if (!(target instanceof HTMLInputElement) || !target.matches(ONE_LINE)) return;
  event.preventDefault();
  const fields = [...(target.form?.querySelectorAll<HTMLElement>(FIELDS) ?? [])];
  fields
    .slice(fields.indexOf(target) + 1)
    .find((field) => field.checkVisibility())
    ?.focus();
};
