/** Names of the company's screens, Insights, the week on a page, the photos and the tour. */
import type { Words } from '../shape.ts';

export const places: Words['places'] = {
  tm: 'Robocizna i materiały',
  insurances: 'Ubezpieczenia podwykonawców',
  insurances_short: 'Ubezpieczenia',
  members: 'Uczestnicy',
  webhooks: 'Webhooki',
  users: 'Użytkownicy',
  follow_ups: 'Działania',
  own_data: 'Dane firmy',
  more: 'Więcej o firmie',
  jobs: 'Zadania i strefy',
  people: 'Osoby',
  companies: 'Firmy',
  equipment: 'Sprzęt',
  plans: 'Plany',
  insights: 'Statystyki',
  week: 'Raport tygodnia',
  photos: 'Zdjęcia',
  tour: 'Jak działa Spotter',
  said: 'Zgłosiliście, zrobiliśmy',
  reportable: 'Czy trzeba to zgłosić urzędowi?',
};
