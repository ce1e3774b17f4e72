/**
 * Decides whether a typed name identifies a person, by the same rules in the window and the service (decisions §12.3).
 */
import { fold } from './fold.ts';

/**
 * True if the typed name is one of the person's names. Case, accents and outer spaces do not count; an empty name is nobody's.
 *
 * @param names the user's name, login, and the name of the user's person, as far as they are known
 */
export function isNamed(typed: string, names: readonly string[]): boolean {
  const said = fold(typed).trim();
  return said !== '' && names.some((name) => fold(name).trim() === said);
}
