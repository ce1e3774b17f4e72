/**
 * The project chosen in this window, until the host confirms it. A person may switch sites offline, but the host stores a
 * project only after the server returned it. Kept in local storage, so that a restart before that does not undo the choice.
 */
import { z } from 'zod';
import type { SessionView } from '../../../contract/host.ts';

const chosen = z.object({
  account: z.string(),
  project: z.object({ id: z.number().int().positive(), name: z.string() }),
});
export type ChosenProject = z.infer<typeof chosen>;

const NAME = 'chosen-project';

export const readChosen = (): ChosenProject | null => {
  try {
    return chosen.parse(JSON.parse(localStorage.getItem(NAME) ?? 'null'));
  } catch {
    return null;
  }
};

export const keepChosen = (project: ChosenProject | null): void => {
  try {
    if (project === null) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, JSON.stringify(project));
  } catch {
    // The disk is full, so the choice lasts only until the window closes.
  }
};

/** Pure. Applies the chosen project to the host's session, unless it was chosen in another account. */
export const withChosen = (
  view: SessionView | null,
  project: ChosenProject | null,
): SessionView | null =>
  view === null || project === null || view.account !== project.account
    ? view
    : { ...view, project: project.project };
