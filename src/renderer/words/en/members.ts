/** Members of a project. */
import { count, f } from './say.ts';
import { places } from './places.ts';

const people = (n: number): string => count(n, { one: '# member', other: '# members' });

export const members = {
  title: places.members,
  list: 'Project members',
  find: 'Find a member',
  people,
  counted: (n: number, coming: number, going: number) =>
    [
      people(n),
      ...(coming > 0 ? [count(coming, { one: '# being added', other: '# being added' })] : []),
      ...(going > 0 ? [count(going, { one: '# being removed', other: '# being removed' })] : []),
    ].join(' · '),
  party: (id: number) => `Contact ${id}`,
  number: (id: number) => `Number ${id}`,
  none_found: 'No matches',
  none_found_text: 'You can search by any part of a name, or by number.',
  show_all: 'Show all',
  empty: 'This project has no members yet',
  empty_text: 'Add people from the company. Works offline.',
  offline: 'You can add and remove people. Changes will be sent when you’re online.',
  offline_nothing: 'The members will download when you’re online. You can add people now.',
  who_may_see: 'Ask your project admin for access to the members.',
  remove_refused: (n: number) =>
    count(n, {
      one: 'Could not be removed: still a member',
      other: '# people could not be removed: they are still members',
    }),
  remove_aside: (n: number) =>
    count(n, {
      one: 'Removal on hold: still a member',
      other: 'Removing # people is on hold: they are still members',
    }),
  add_refused: (n: number) =>
    count(n, { one: 'Could not be added', other: '# people could not be added' }),
  add_aside: (n: number) =>
    count(n, { one: 'Adding on hold', other: 'Adding # people is on hold' }),
  reference: 'no login',
  own_login: 'managed by your office',
  unlisted: 'No longer in your company’s lists',
  in: 'Member',
  coming: 'Being added',
  going: 'Being removed',
  add: 'Add members',
  add_text: 'People in your company who aren’t on this project yet.',
  add_find: 'Find a person',
  add_numbers: 'Numbers of the people',
  add_numbers_hint:
    'This server has no list of people. Enter their numbers, separated by commas or spaces.',
  add_bad_numbers: 'Only numbers, separated by commas or spaces.',
  nobody_left: 'Everyone who can be added is already a member.',
  more_found: (n: number) =>
    count(n, { one: '# more. Type to find them.', other: '# more. Type to find them.' }),
  nobody_found: 'No matches.',
  add_go: (n: number) =>
    n === 0 ? 'Add' : count(n, { one: 'Add # person', other: 'Add # people' }),
  added: (n: number) =>
    count(n, {
      one: '# person added.',
      other: '# people added.',
    }),
  select: (name: string) => `Select ${name}`,
  select_all: 'Select all',
  selected: (n: number) => count(n, { one: '# selected', other: '# selected' }),
  clear: 'Clear selection',
  remove: (n: number) => count(n, { one: 'Remove # member', other: 'Remove # members' }),
  remove_one: (name: string) => `Remove ${name}`,
  remove_title: (n: number) =>
    count(n, {
      one: 'Remove # member from the project?',
      other: 'Remove # members from the project?',
    }),
  remove_text: 'They will no longer be listed on this project. You can add them again.',
  remove_many: (n: number, max: number) =>
    `The server removes at most ${f.number(max)} at once, so Spotter sends this in ${f.number(n)} parts.`,
  remove_go: 'Remove',
  removed: (n: number) =>
    count(n, {
      one: '# member removed.',
      other: '# members removed.',
    }),
  take_back: (name: string) => `Cancel sending: ${name}`,
  taken_back: 'Sending cancelled.',
  too_late: 'The server may already have done this.',
  show_more: (n: number) => `Show ${f.number(n)} more`,
  waiting_title: 'Project members',
  about_people: (n: number) => count(n, { one: '# person', other: '# people' }),
  who_may:
    'Ask your project admin to do it or to give you access. Then send it again, or cancel sending.',
  outcome: {
    removed_done: (n: number) =>
      count(n, { one: '# member removed.', other: '# members removed.' }),
    added_done: (n: number) => count(n, { one: '# person added.', other: '# people added.' }),
    skipped: (n: number) =>
      count(n, {
        one: '# was skipped (no longer a member, or has a login):',
        other: '# were skipped (no longer members, or have a login):',
      }),
    already: (n: number) =>
      count(n, { one: '# was already a member:', other: '# were already members:' }),
    and_more: (n: number) => `and ${f.number(n)} more`,
    dismiss: 'Dismiss',
  },
};
