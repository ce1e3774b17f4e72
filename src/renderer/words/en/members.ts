/** Members of a project: who is in, who comes and goes. */
import { count, f } from './say.ts';

const people = (n: number): string => count(n, { one: '# member', other: '# members' });

export const members = {
  title: 'Members',
  list: 'Members of the project',
  find: 'Find a member',
  people,
  counted: (n: number, coming: number, going: number) =>
    [
      people(n),
      ...(coming > 0 ? [count(coming, { one: '# being added', other: '# being added' })] : []),
      ...(going > 0 ? [count(going, { one: '# being removed', other: '# being removed' })] : []),
    ].join(' · '),
  party: (id: number) => `Party ${id}`,
  number: (id: number) => `Number ${id}`,
  none_found: 'No member is called that',
  none_found_text: 'Every part of a name is searched, and numbers.',
  show_all: 'Show all',
  empty: 'Nobody is a member of this project yet',
  empty_text: 'Add people of the company: it works with no network too.',
  offline: 'You can add and remove people: it is sent with the next connection.',
  offline_nothing:
    'The members of this project come with the next connection. You can add people now; it is sent then.',
  who_may_see: 'Members are looked after by whoever runs the project. Ask them for access.',
  remove_refused: (n: number) =>
    count(n, {
      one: 'The removal was refused: still a member',
      other: 'Removing # people was refused: they are still members',
    }),
  remove_aside: (n: number) =>
    count(n, {
      one: 'The removal is set aside: still a member',
      other: 'Removing # people is set aside: they are still members',
    }),
  add_refused: (n: number) =>
    count(n, { one: 'The adding was refused', other: 'Adding # people was refused' }),
  add_aside: (n: number) =>
    count(n, { one: 'The adding is set aside', other: 'Adding # people is set aside' }),
  reference: 'no login of their own',
  own_login: 'has a login or a vendor: changed elsewhere',
  unlisted: 'not on the company’s list any more',
  in: 'Member',
  coming: 'Being added',
  going: 'Being removed',
  add: 'Add members',
  add_text:
    'People of the company with no login of their own (reference users) who are not members yet. Several can be chosen.',
  add_find: 'Find a person',
  add_numbers: 'Party numbers',
  add_numbers_hint:
    'This server offers no list of people: type their numbers, separated by commas or spaces.',
  add_bad_numbers: 'Only numbers, separated by commas or spaces.',
  nobody_left: 'Everybody of the company who can be added here is a member already.',
  more_found: (n: number) =>
    count(n, { one: '# more: type to find them.', other: '# more: type to find them.' }),
  nobody_found: 'Nobody is called that.',
  add_go: (n: number) =>
    n === 0 ? 'Add' : count(n, { one: 'Add # person', other: 'Add # people' }),
  added: (n: number) =>
    count(n, {
      one: 'Saved on this laptop. # person is added with the next connection.',
      other: 'Saved on this laptop. # people are added with the next connection.',
    }),
  select: (name: string) => `Select ${name}`,
  select_all: 'Select all that can be removed',
  selected: (n: number) => count(n, { one: '# selected', other: '# selected' }),
  clear: 'Clear the selection',
  remove: (n: number) => count(n, { one: 'Remove # member', other: 'Remove # members' }),
  remove_one: (name: string) => `Remove ${name}`,
  remove_title: (n: number) =>
    count(n, {
      one: 'Remove # member from the project?',
      other: 'Remove # members from the project?',
    }),
  remove_text: 'They no longer see the project. They can be added again.',
  remove_many: (n: number, max: number) =>
    `At most ${f.number(max)} are removed in one request: these are sent in ${f.number(n)} requests.`,
  remove_go: 'Remove',
  removed: (n: number) =>
    count(n, {
      one: 'Saved on this laptop. # member is removed with the next connection.',
      other: 'Saved on this laptop. # members are removed with the next connection.',
    }),
  take_back: (name: string) => `Take back: ${name}`,
  taken_back: 'Taken back.',
  too_late: 'The server may have it already.',
  show_more: (n: number) => `Show ${f.number(n)} more`,
  waiting_title: 'Members of the project',
  about_people: (n: number) => count(n, { one: '# person', other: '# people' }),
  who_may:
    'Members are looked after by whoever runs the project. Ask them to do it, or to give you access; then send it again, or take it back.',
  outcome: {
    removed: 'What became of the removal',
    added: 'What became of the adding',
    removed_done: (n: number) =>
      count(n, { one: '# member was removed.', other: '# members were removed.' }),
    added_done: (n: number) =>
      count(n, { one: '# person was added.', other: '# people were added.' }),
    skipped: (n: number) =>
      count(n, {
        one: '# was skipped: no member any more, or no reference user:',
        other: '# were skipped: no members any more, or no reference users:',
      }),
    already: (n: number) =>
      count(n, { one: '# was a member already:', other: '# were members already:' }),
    and_more: (n: number) => `and ${f.number(n)} more`,
    dismiss: 'Put away',
  },
};
