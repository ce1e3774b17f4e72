/** Settings of the form for a new near miss, loaded on demand. */
export const capture_settings = {
  title: 'New near misses',
  people: 'Naming people',
  peoples: { off: 'Don’t ask', on: 'Always ask' },
  people_notes: {
    off: 'The form does not ask who was affected until you choose to name a person.',
    on: 'The affected person and contact are always on the form.',
  },
  fields: 'Fields of this project’s form',
  fields_text:
    'Spotter finds these fields by their labels. If your company uses another label, choose the field here.',
  by_label: (label: string) => `Automatic (${label === '' ? 'none' : label})`,
  no_field: 'None',
  keys: 'Shortcut for a new near miss',
  keys_choices: { on: (keys: string) => keys, off: 'Off' },
  keys_refused: (keys: string) =>
    `Another program is using ${keys}, so the shortcut does nothing in Spotter.`,
  keys_none_free: 'The other shortcuts are taken too.',
  keys_take: (keys: string) => `Use ${keys}`,
  key_shift: 'Shift',
  keys_notes: {
    on: 'Works in any program while Spotter is running, unless another program uses these keys.',
    off: 'Alt + N always works in the Spotter window.',
  },
  keys_browser:
    'Alt + N in the Spotter window. A shortcut for every program needs the desktop app.',
};
