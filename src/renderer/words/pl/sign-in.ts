/** The notices that ask a user to sign in again, or to open the keychain. */
import type { Words } from '../shape.ts';
import { items } from './say.ts';

const safe = (n: number): string => `Bezpieczne na tym laptopie: ${items(n)}.`;

export const sign_in: Words['sign_in'] = {
  title: 'Zaloguj się ponownie',
  safe: 'Zgłoszenia są bezpieczne na tym laptopie. Zaloguj się, aby je wysłać.',
  text: (n) =>
    n === 0
      ? 'Można dalej pracować. Nowe zdarzenia zapisują się na tym laptopie.'
      : `${safe(n)} Zostaną wysłane po zalogowaniu.`,
  go: 'Zaloguj się',
  locked: 'Pęk kluczy jest zablokowany',
  asking: 'Czy komputer pyta o pęk kluczy?',
  asking_text: (n) =>
    n === 0
      ? 'Poszukaj pytania komputera i w ciągu dwóch minut zezwól Spotterowi. Można dalej pracować.'
      : `Poszukaj pytania komputera i w ciągu dwóch minut zezwól Spotterowi. ${safe(n)}`,
  hung: 'Pęk kluczy nie odpowiada',
  denied: 'Pęk kluczy odmówił Spotterowi',
  absent: 'Brak pęku kluczy',
  locked_text: (n) =>
    n === 0
      ? 'Odblokuj pęk kluczy i naciśnij „Spróbuj ponownie”. Można dalej pracować.'
      : `Odblokuj pęk kluczy i naciśnij „Spróbuj ponownie”. ${safe(n)}`,
};
