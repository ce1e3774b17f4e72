/**
 * The project chosen in this window, until the host has it: a person changes the site with no network too, and the host keeps a
 * project only after the server showed it. In the browser's local storage, so that a restart before that changes nothing back.
 */
import { z } from 'zod';
import type { SessionView } from '../../contract/host.ts';

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
    // A full disk: it counts until the window is closed.
  }
};

/** Pure: the session as the host tells it, with the project chosen here; one chosen in another account counts there only. */
export const withChosen = (
  told: SessionView | null,
  project: ChosenProject | null,
): SessionView | null =>
  told === null || project === null || told.account !== project.account
    ? told
    : { ...told, project: project.project };
