/** Names of the company's screens, Insights, the week on a page, the photos and the tour. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

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
  box: 'Skrzynka zgłoszeń',
  box_count: (n: number) =>
    `Skrzynka zgłoszeń, ${count(n, 'czeka # zgłoszenie', 'czekają # zgłoszenia', 'czeka # zgłoszeń')}`,
  reportable: 'Czy trzeba to zgłosić urzędowi?',
};
