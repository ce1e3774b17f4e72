/**
 * Labels by which the custom fields of the follow-up (decisions §4.7), the photo captions (§4.8), the answer (§4.10),
 * the kind of the report (§4.11), who saw it (§4.12), the pin on a plan (§17.4), the potential severity and the time of the event
 * (§20.2) are recognised. Each is written in the form of `bareLabel`; the likeliest comes first.
 */
export const followUpParts = {
  what: {
    types: ['string', 'text'],
    labels: [
      'follow up',
      'follow up action',
      'corrective action',
      'further action',
      'seguimiento',
      'accion de seguimiento',
      'accion correctiva',
      'dalsze działanie',
      'działanie naprawcze',
      'działanie korygujace',
    ],
  },
  who: {
    types: ['string'],
    labels: [
      'follow up by',
      'follow up owner',
      'action owner',
      'responsible',
      'seguimiento a cargo de',
      'responsable del seguimiento',
      'responsable',
      'a cargo de',
      'wykona',
      'wykonuje',
      'osoba odpowiedzialna',
      'odpowiedzialny',
    ],
  },
  due: {
    types: ['date'],
    labels: [
      'follow up date',
      'follow up due',
      'due date',
      'due',
      'fecha de seguimiento',
      'fecha limite',
      'plazo',
      'termin działania',
      'termin',
    ],
  },
  done: {
    types: ['date'],
    labels: [
      'follow up done',
      'follow up closed',
      'closed on',
      'completed on',
      'seguimiento hecho',
      'seguimiento cerrado',
      'fecha de cierre',
      'działanie wykonane',
      'wykonano',
    ],
  },
} as const;

export const answerParts = {
  seen: {
    types: ['string'],
    labels: ['seen', 'seen by', 'visto', 'visto por', 'widziane', 'widziane przez'],
  },
  what: {
    types: ['string', 'text'],
    labels: [
      'what we did',
      'what we did about it',
      'que hicimos',
      'lo que hicimos',
      'co zrobilismy',
    ],
  },
} as const;

/** The first option of the field means an ordinary near miss. */
export const kindPart = {
  types: ['select'],
  labels: ['kind', 'clase', 'rodzaj', 'rodzaj zdarzenia'],
} as const;

export const stoppedPart = {
  types: ['string', 'text'],
  labels: ['what stopped it getting worse', 'que impidio algo peor', 'co zapobiegło gorszemu'],
} as const;

export const whoSawParts = {
  who: {
    types: ['string', 'text'],
    labels: ['who saw it', 'told by', 'quien lo vio', 'contado por', 'kto to widział'],
  },
  code: {
    types: ['string', 'text'],
    labels: ['answer code', 'codigo de respuesta', 'kod odpowiedzi'],
  },
} as const;

export const captionLabels: readonly string[] = [
  'photo captions',
  'photo notes',
  'captions',
  'pies de foto',
  'notas de las fotos',
  'descripcion de las fotos',
  'podpisy zdjec',
  'opisy zdjec',
];

export const pinPart = {
  types: ['string', 'text'],
  labels: [
    'where on the plan',
    'place on the plan',
    'lugar en el plano',
    'donde en el plano',
    'miejsce na planie',
    'gdzie na planie',
  ],
} as const;

/** The options of the field go from the mildest to the highest severity. */
export const severityPart = {
  types: ['select'],
  labels: [
    'potential severity',
    'severity potential',
    'how bad could it have been',
    'severity',
    'gravedad potencial',
    'severidad potencial',
    'gravedad',
    'severidad',
    'mozliwe skutki',
    'jak zle moglo sie skonczyc',
    'skutki',
  ],
} as const;

export const whenPart = {
  types: ['datetime'],
  labels: [
    'event time',
    'time of event',
    'date and time',
    'event date',
    'when',
    'occurred at',
    'hora del suceso',
    'fecha y hora',
    'fecha del suceso',
    'cuando',
    'fecha del evento',
    'czas zdarzenia',
    'data i godzina',
    'data zdarzenia',
    'kiedy',
  ],
} as const;
