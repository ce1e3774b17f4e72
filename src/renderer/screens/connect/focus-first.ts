/** Attachment: focuses the first empty field of a form, else its first field. */
export function focusFirst(form: HTMLElement): void {
  const fields = [...form.querySelectorAll('input')];
  const first = fields.find((field) => field.value === '') ?? fields[0];
  (first ?? form.querySelector('button'))?.focus();
}
