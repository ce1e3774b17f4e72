/** [ours] The sentences of the page in an evidence pack, in every language. Fields have the names that the window gives them. */
import type { Language } from '../../../contract/languages.ts';

interface Words {
  readonly title: (number: string) => string;
  readonly made: (at: string) => string;
  readonly masked: string;
  readonly as_written: string;
  readonly facts: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly photos: string;
  readonly photo_missing: string;
  readonly history: string;
  readonly actions: Readonly<Record<string, string>>;
  readonly person: (id: number) => string;
  readonly redacted_on: (day: string | null) => string;
  readonly empty: string;
  readonly recycled: (at: string) => string;
  readonly verify: string;
}

export const packWords: Readonly<Record<Language, Words>> = {
  en: {
    title: (number) => `Near miss ${number}`,
    made: (at) => `Evidence pack, made on ${at} (time of the server, UTC).`,
    masked:
      'The names of people that Spotter knows were replaced by [name]. Other names may remain in free text, and photos may show faces.',
    as_written: 'The names of people are shown as they were written.',
    facts: 'Report',
    fields: {
      number: 'Number',
      company: 'Company',
      project: 'Job',
      incident: 'Incident',
      created_at: 'Filed',
      updated_at: 'Last change',
      reported_by: 'Reported by',
      description: 'What happened',
      harm_source: 'Harm source',
      work_activity: 'Work activity',
      managed_equipment: 'Equipment',
      affected_company: 'Affected company',
      affected_party: 'Affected contact',
      affected_person: 'Affected person',
      attachments: 'Photo',
      comments: 'Comment',
      history: 'History entry',
    },
    photos: 'Photos',
    photo_missing: 'The bytes of this photo are missing on the server.',
    history: 'History',
    actions: {
      created: 'Filed',
      updated: 'Changed',
      recycled: 'Moved to the recycle bin',
      restored: 'Restored',
      redacted: 'Redacted',
      anonymised: 'Anonymised',
    },
    person: (id) => `Person ${id}`,
    redacted_on: (day) => (day === null ? 'redacted' : `redacted on ${day}`),
    empty: 'empty',
    recycled: (at) => `In the recycle bin since ${at}.`,
    verify: 'README.txt says how to verify the signature and every checksum.',
  },
  es: {
    title: (number) => `Casi accidente ${number}`,
    made: (at) => `Paquete de evidencia, hecho el ${at} (hora del servidor, UTC).`,
    masked:
      'Los nombres de personas que Spotter conoce se cambiaron por [name]. En el texto libre pueden quedar otros nombres, y en las fotos pueden verse caras.',
    as_written: 'Los nombres de las personas aparecen tal como se escribieron.',
    facts: 'Reporte',
    fields: {
      number: 'Número',
      company: 'Empresa',
      project: 'Obra',
      incident: 'Incidente',
      created_at: 'Presentado',
      updated_at: 'Último cambio',
      reported_by: 'Reportado por',
      description: 'Qué pasó',
      harm_source: 'Fuente de daño',
      work_activity: 'Actividad',
      managed_equipment: 'Equipo',
      affected_company: 'Empresa afectada',
      affected_party: 'Contacto afectado',
      affected_person: 'Persona afectada',
      attachments: 'Foto',
      comments: 'Comentario',
      history: 'Entrada del historial',
    },
    photos: 'Fotos',
    photo_missing: 'Faltan los bytes de esta foto en el servidor.',
    history: 'Historial',
    actions: {
      created: 'Presentado',
      updated: 'Cambiado',
      recycled: 'Enviado a la papelera',
      restored: 'Restaurado',
      redacted: 'Censurado',
      anonymised: 'Anonimizado',
    },
    person: (id) => `Persona ${id}`,
    redacted_on: (day) => (day === null ? 'censurado' : `censurado el ${day}`),
    empty: 'vacío',
    recycled: (at) => `En la papelera desde ${at}.`,
    verify: 'README.txt explica cómo comprobar la firma y cada suma de verificación.',
  },
  pl: {
    title: (number) => `Zdarzenie potencjalnie wypadkowe ${number}`,
    made: (at) => `Pakiet dowodowy utworzony ${at} (czas serwera, UTC).`,
    masked:
      'Nazwiska osób znane Spotterowi zastąpiono przez [name]. W tekstach mogą zostać inne nazwiska, a na zdjęciach może być widać twarze.',
    as_written: 'Nazwiska osób są podane tak, jak je zapisano.',
    facts: 'Zgłoszenie',
    fields: {
      number: 'Numer',
      company: 'Firma',
      project: 'Budowa',
      incident: 'Zadanie lub strefa',
      created_at: 'Zgłoszono',
      updated_at: 'Ostatnia zmiana',
      reported_by: 'Zgłaszający',
      description: 'Co się stało',
      harm_source: 'Źródło zagrożenia',
      work_activity: 'Rodzaj prac',
      managed_equipment: 'Sprzęt',
      affected_company: 'Firma, której dotyczy',
      affected_party: 'Kontakt, którego dotyczy',
      affected_person: 'Osoba, której dotyczy',
      attachments: 'Zdjęcie',
      history: 'Wpis historii',
    },
    photos: 'Zdjęcia',
    photo_missing: 'Na serwerze brakuje bajtów tego zdjęcia.',
    history: 'Historia',
    actions: {
      created: 'Zgłoszono',
      updated: 'Zmieniono',
      recycled: 'Przeniesiono do kosza',
      restored: 'Przywrócono',
      redacted: 'Zaczerniono',
    },
    person: (id) => `Osoba ${id}`,
    redacted_on: (day) => (day === null ? 'zaczerniono' : `zaczerniono ${day}`),
    empty: 'puste',
    recycled: (at) => `W koszu od ${at}.`,
    verify: 'README.txt mówi, jak sprawdzić podpis i każdą sumę kontrolną.',
  },
};

/** In English: it is made of commands. */
export const readmeText = (about: {
  readonly number: string;
  readonly made_at: string;
  readonly key_id: string;
  readonly service: string;
  readonly masked: boolean;
}): string => `Evidence pack of near miss ${about.number}
made on ${about.made_at} (clock of the server)

report.html      the report, for people: open it in a browser
report.json      the same, for programs
history.json     every change of the report, oldest first
photos/          the photos, byte for byte as they are stored
receipt.json     what the service signed: number, time, and size and SHA-256 of every file
receipt.sig      the Ed25519 signature of the bytes of receipt.json, exactly as they are (64 bytes)
public-key.pem   the key that verifies it, ${about.key_id}
SHA256SUMS       the same checksums in the format of sha256sum

${
  about.masked
    ? 'The names of people that Spotter knows were replaced by [name]. Read the texts and look at\nthe photos before you hand the pack on: other names may remain, and faces may be seen.'
    : 'The names of people are in this pack. Hand it only to those who may know them.'
}

VERIFY

Unpack the pack, open a terminal in its folder, and compare three things.

1. The signature. This prints "Signature Verified Successfully":

   openssl pkeyutl -verify -pubin -inkey public-key.pem -rawin -in receipt.json -sigfile receipt.sig

   It needs OpenSSL 3. LibreSSL, which macOS has, cannot do it: install openssl there.

2. The files. The second command prints the checksum that receipt.json has for SHA256SUMS:

   sha256sum -c SHA256SUMS
   sha256sum SHA256SUMS

3. The key. The service publishes all its keys, old ones too. Get them over a connection that you trust,
   and compare the one called ${about.key_id} with public-key.pem:

   curl ${about.service}/rest/v1.0/signing_keys

"npx spotter verify FILE.zip --service ${about.service}" does all of it.

REMOVE TEXTS

report.html, report.json and history.json each hold a random salt, so that nobody can guess their texts
from the checksums in receipt.json. If a text must be erased, delete these three files. Receipt and photos
still verify: sha256sum --ignore-missing -c SHA256SUMS, or spotter verify --without-text.
An entry of the history that was redacted before this pack was made says when.
`;
