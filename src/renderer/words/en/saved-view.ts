/** The dialog that saves what the list shows under a name. */
import { f } from './say.ts';

export const saved_view = {
  name: 'Name of the view',
  about: 'The rail shows it below Near misses, on this laptop.',
  replaces: 'There is a view of this name. Saving replaces it with what the list shows now.',
  no_name: 'Give the view a name.',
  too_many: (n: number) => `There are ${f.number(n)} views already. Remove one first.`,
  saved: (name: string) => `View ${name} saved.`,
};
