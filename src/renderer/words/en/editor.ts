/** The text editor. */

export const editor = {
  toolbar: 'Formatting',
  start: 'Format the text',
  bold: 'Bold',
  italic: 'Italic',
  underline: 'Underline',
  strike: 'Strike through',
  bullets: 'List',
  numbers: 'Numbered list',
  heading: 'Heading',
  quote: 'Quote',
  undo: 'Undo',
  redo: 'Redo',
  link: 'Link',
  link_address: 'Address of the link',
  link_set: 'Set link',
  link_remove: 'Remove link',
  link_bad: 'A link begins with https://, http://, mailto: or tel:.',
  loading: 'Opening the editor…',
  failed: 'The editor could not be opened. Your text is safe. Cancel, then try again.',
};
