/** The rights of each level, and why an action is not offered. */
import type { Words } from '../shape.ts';

export const access: Words['access'] = {
  cannot_file: 'To konto pozwala tylko czytać',
  cannot_file_text:
    'Można oglądać i drukować zgłoszenia, ale nie można ich dodawać ani zmieniać. Administrator firmy może to zmienić w dziale Firma, Więcej, Użytkownicy.',
  cannot_change: 'Z tego konta nie można zmienić tego zgłoszenia',
  cannot_change_text: 'Może je zmienić autor albo administrator firmy.',
  photos_only: 'Tutaj można dodać zdjęcia i podpisy',
  photos_only_text: 'Resztę wysłanego zgłoszenia może zmienić administrator firmy.',
  answers_only_text:
    'To zgłoszenie dodał ktoś inny. Resztę może zmienić jego autor albo administrator firmy.',
  add_photos: 'Dodaj zdjęcia',
};
