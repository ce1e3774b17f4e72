/** Vendor insurances, edited one by one or imported from a CSV file. */
import type { Words } from '../shape.ts';
import { count, f } from './say.ts';
import { places } from './places.ts';

const policies = (n: number): string => count(n, { one: '# póliza', other: '# pólizas' });
const days = (n: number): string => count(n, { one: '# día', other: '# días' });

export const insurances: Words['insurances'] = {
  title: places.insurances,
  vendors: 'Proveedores',
  list: 'Pólizas',
  vendor: (id) => `Proveedor ${id}`,
  number: (id) => `Proveedor número ${id}`,
  find: 'Buscar por nombre o número',
  none_found: 'Nada coincide.',
  open_number: (id) => `Abrir el proveedor ${id}`,
  number_only:
    'Este servidor no tiene una lista de proveedores. Escriba el número de un proveedor.',
  back: 'Todos los proveedores',
  pick: 'Elija un proveedor',
  pick_text: 'Aquí verá las pólizas, primero las vencidas.',
  offline:
    'Puede agregar, cambiar y eliminar pólizas. Los cambios se enviarán cuando haya conexión.',
  offline_nothing:
    'Las pólizas de este proveedor se descargarán cuando haya conexión. Ya puede agregar una.',
  who_may_see: 'Pida acceso a este proveedor al administrador del proyecto.',
  policies,
  none_yet: 'Sin pólizas',
  unfetched: (n) =>
    n === 0 ? 'Aún sin descargar' : `${policies(n)} de aquí, las demás aún sin descargar`,
  vendor_line: (n, urgent) =>
    urgent === 0
      ? policies(n)
      : `${policies(n)}, ${count(urgent, { one: '# por atender', other: '# por atender' })}`,
  empty: 'Este proveedor todavía no tiene pólizas',
  empty_text: 'Agregue una o importe una hoja de cálculo. Funciona sin red.',
  add: 'Nueva póliza',
  from_csv: 'Importar una hoja de cálculo',
  from_csv_all: 'Un archivo con las pólizas de muchos proveedores',
  template: 'Guardar una plantilla CSV',
  more: 'Más',
  template_name: 'spotter-polizas',
  template_saved: 'La plantilla está en sus descargas.',
  needs_attention: 'Por atender',
  none_urgent: 'Ninguna póliza por atender',
  none_urgent_text: 'Ninguna póliza está vencida, por vencer ni sin fecha de vencimiento.',
  show_all: 'Ver todas',
  delete_refused: 'No se pudo eliminar',
  delete_aside: 'Eliminación en pausa',
  standing: {
    active: 'Vigente',
    today: 'Vence hoy',
    expiring: (n) => `Vence en ${days(n)}`,
    expired: 'Vencida',
    future: 'Aún no empieza',
    no_end: 'Sin fecha de vencimiento',
    exempt: 'Exenta',
  },
  status: {
    compliant: 'Cumple',
    compliant_in_progress: 'Cumple, en trámite',
    expired: 'Marcada como vencida',
    non_compliant: 'No cumple',
    non_compliant_in_progress: 'No cumple, en trámite',
    undecided: 'Sin decidir',
    unregistered: 'Sin registrar',
  },
  unnamed: 'Póliza sin nombre',
  from_to: (from, to) => `${from} a ${to}`,
  until: (to) => `hasta ${to}`,
  since: (from) => `desde ${from}`,
  no_dates: 'sin fechas',
  policy: (number) => `Póliza ${number}`,
  limit: (amount) => `Límite ${amount}`,
  open: (name) => `Abrir ${name}`,
  of_file: 'De un archivo, aún sin enviar',
  form: {
    new_title: 'Nueva póliza',
    edit_title: 'Editar la póliza',
    name: 'Aseguradora',
    insurance_type: 'Tipo de seguro',
    policy_number: 'Número de póliza',
    limit: 'Límite',
    limit_hint: 'Un monto como 1000000.00, sin moneda.',
    effective_date: 'Empieza',
    expiration_date: 'Vence',
    status: 'Estado',
    additional_insured: 'Asegurado adicional',
    additional_insured_hint: 'Otras personas o empresas aseguradas.',
    exempt: 'Exenta: este proveedor no necesita este seguro',
    info_received: 'Certificado recibido',
    enable_expired_insurance_notifications: 'Avisar cuando venza',
    notes: 'Notas',
    more: 'Más campos',
    division_template: 'Plantilla de división',
    insurance_sets: 'Conjuntos de seguros',
    origin_id: 'Número en otro sistema',
    origin_id_hint: 'Spotter reconoce la fila de una hoja de cálculo por este número.',
    origin_data: 'Datos de otro sistema',
    save: 'Guardar',
    delete: 'Eliminar',
    fix: (n) => count(n, { one: '# campo por completar.', other: '# campos por completar.' }),
    empty: 'Escriba al menos la aseguradora, el tipo o el número de póliza.',
    bad_limit: 'Escriba un monto como 1000000.00.',
    bad_date: 'Esta fecha no existe.',
    wrong_order: 'La póliza vence antes de empezar.',
    too_long: 'Es demasiado largo.',
    bad_status: 'Elija uno de los estados.',
  },
  saved: 'Guardado en esta laptop.',
  delete_title: '¿Eliminar esta póliza?',
  delete_text: (name) =>
    `“${name}” se elimina aquí y en el servidor. Una vez enviado no se puede deshacer.`,
  delete_local: (name) => `“${name}” se elimina. No se puede deshacer.`,
  deleted: 'Eliminado.',
  delete_outcome_unknown:
    'Tal vez el servidor ya tiene esta póliza. Primero envíela de nuevo en Pendientes y después elimínela.',
  waiting_title: (vendor) => `Pólizas de ${vendor}`,
  conflict: 'Alguien más también cambió esta póliza',
  conflict_text: 'No se sobrescribió nada. Elija qué versión se queda.',
  mine: 'La suya',
  theirs: 'La de la otra persona',
  field: 'Campo',
  nothing: '(vacío)',
  send_mine: 'Enviar la suya',
  keep_theirs: 'Dejar la otra',
  kept_theirs: 'Su cambio se descartó.',
  yes: 'Sí',
  no: 'No',
  who_may:
    'Pida acceso a este proveedor al administrador del proyecto. Después envíelo de nuevo o cancele el envío.',
  csv: {
    title: 'Pólizas de una hoja de cálculo',
    back: 'Volver a las pólizas',
    text: 'Elija un archivo de Excel (.xlsx) o CSV. Verá qué va a cambiar antes de enviar nada. Con una columna Proveedor, un archivo contiene las pólizas de muchos proveedores.',
    choose: 'Elegir un archivo',
    another: 'Elegir otro archivo',
    reading: 'Leyendo el archivo…',
    file: (name, rows) => `${name}: ${count(rows, { one: '# fila', other: '# filas' })}`,
    columns: 'Columnas',
    columns_used: (n, of) => `Columnas: se usan ${f.number(n)} de ${f.number(of)}`,
    rows_of: (name) => `Filas de ${name}`,
    columns_text:
      'Elija el campo de cada columna del archivo. Las columnas omitidas no se importan.',
    column: (letter, name) => (name === '' ? `Columna ${letter}` : `Columna ${letter} “${name}”`),
    left_out: 'Se omite',
    heading_row: 'Encabezado',
    heading: (row, cells) => `Fila ${f.number(row)}: ${cells}`,
    totals: (rows) => `Se omite por ser de totales: ${f.list(rows)}.`,
    sheet: 'Hoja',
    one_sheet: 'Se importa una hoja a la vez.',
    letters: 'Letras',
    letters_as: (encoding, samples) => `${encoding}: ${samples.join(', ')}`,
    encodings: { 'windows-1252': 'Europa occidental', 'windows-1250': 'Europa central' },
    letters_ambiguous:
      'El archivo no dice cómo están guardadas sus letras con acento. Elija dónde se ven bien.',
    many_vendors: (n) =>
      count(n, {
        one: 'El archivo tiene pólizas de # proveedor, según su columna Proveedor.',
        other: 'El archivo tiene pólizas de # proveedores, según su columna Proveedor.',
      }),
    plan: 'Qué cambiará',
    create: (n) => count(n, { one: '# nueva', other: '# nuevas' }),
    update: (n) => count(n, { one: '# con cambios', other: '# con cambios' }),
    same: (n) => count(n, { one: '# sin cambios', other: '# sin cambios' }),
    bad: (n) => count(n, { one: '# con errores', other: '# con errores' }),
    row: 'Fila',
    row_number: (n) => `Fila ${f.number(n)}`,
    outcome: 'Resultado',
    insurance: 'Póliza',
    details: 'Cambios o errores',
    is_new: 'Nueva',
    is_update: 'Cambia',
    is_same: 'Sin cambios',
    is_bad: 'Con error',
    show_all: 'Todas las filas',
    show_bad: 'Filas con errores',
    show_more: (n) => `Mostrar ${f.number(n)} más`,
    send: (n) => count(n, { one: 'Importar # póliza', other: 'Importar # pólizas' }),
    nothing_to_send: 'Ninguna fila de este archivo cambia algo.',
    without_bad: (n) =>
      count(n, {
        one: '# fila con errores se omite. Corríjala y elija el archivo de nuevo. Spotter omite las filas que ya están.',
        other:
          '# filas con errores se omiten. Corríjalas y elija el archivo de nuevo. Spotter omite las filas que ya están.',
      }),
    known_only: 'Comparado con lo que hay en esta laptop. Aquí aparecerán las filas rechazadas.',
    stale: 'Sin conexión: tal vez esta laptop no tiene las pólizas más nuevas del proveedor.',
    queued: (n) =>
      count(n, {
        one: '# fila guardada en esta laptop.',
        other: '# filas guardadas en esta laptop.',
      }),
    field_value: (field, value) => `${field}: ${value}`,
    field_change: (field, from, to) => `${field}: ${from} → ${to}`,
    field_error: (field, why) => `${field}: ${why}`,
    refused: {
      empty: 'El archivo está vacío.',
      no_rows: 'El archivo tiene un encabezado y ninguna fila.',
      too_big: (mb) => `El archivo pasa de ${f.number(mb)} MB. Divídalo en varios.`,
      too_many: (max) => `El archivo tiene más de ${f.number(max)} filas. Divídalo.`,
      too_wide: (max) =>
        `El archivo tiene más de ${f.number(max)} columnas. Elimine las columnas que no hagan falta.`,
      too_big_unpacked:
        'Este libro es demasiado grande para leerlo sin riesgo. Copie las filas que necesita en un libro nuevo y guárdelo como .xlsx.',
      not_text:
        'Esta no es una hoja de cálculo. En Excel, guárdela como .xlsx o CSV y elíjala otra vez.',
      old_excel:
        'Este es un archivo antiguo de Excel (.xls) o tiene contraseña. En Excel, guárdelo como .xlsx sin contraseña y elíjalo otra vez.',
      damaged:
        'Este archivo de Excel está dañado o no es un libro. Ábralo en Excel, guárdelo de nuevo como .xlsx y elíjalo otra vez.',
      no_field:
        'Ninguna de sus columnas es un campo de una póliza. Compare el encabezado con la plantilla.',
      quotes: (row) =>
        `La fila ${f.number(row)} tiene una comilla sin cerrar, o una dentro de un valor. Dentro de un valor, escríbala dos veces.`,
      stopped:
        'Leer el archivo tardaba demasiado y Spotter se detuvo. No cambió nada. Copie las filas que necesita en un archivo nuevo y elija ese.',
      unreadable: 'No se pudo leer el archivo. ¿Se movió?',
    },
    wrong: {
      date: 'la fecha no existe; escríbala como 2026-12-31',
      date_unclear: '¿primero el día o el mes? Indíquelo arriba o escriba la fecha como 2026-12-31',
      limit: 'no es un monto; escríbalo como 1000000.00',
      limit_unclear: '¿miles o decimales? Escríbalo como 1000000.00',
      flag: 'escriba yes (sí) o no',
      status: 'no es uno de los estados',
      id: 'no es un número de póliza de Spotter',
      unknown_id: 'este proveedor no tiene una póliza con este número',
      formula: 'una fórmula, no un valor: guarde el archivo con valores',
      cut_number:
        'Excel acortó este número: dé a la columna el formato Texto y escriba el número de nuevo',
      cell_error: 'un error de la hoja de cálculo, no un valor: corrija la celda',
      no_vendor: '¿de qué proveedor? Escriba su nombre o número',
      unknown_vendor:
        'ningún proveedor tiene este nombre o número: corríjalo, o agregue antes el proveedor a los datos de la empresa',
      several_vendors: 'varios proveedores se llaman así: escriba el número del proveedor',
      too_long: 'demasiado largo',
      twice: (row) => `la misma póliza que la fila ${f.number(row)}`,
      nothing: 'la fila está vacía',
      cells: 'más celdas que columnas',
    },
    like: (row) => `se parece a ${row}, que ya existe`,
    id: 'Número',
    vendor: 'Proveedor',
  },
  outcome: {
    title: (file) => `Resultado de ${file}`,
    done: (created, updated) =>
      `${[
        ...(created > 0 || updated === 0
          ? [count(created, { one: '# póliza agregada', other: '# pólizas agregadas' })]
          : []),
        ...(updated > 0
          ? [count(updated, { one: '# póliza al día', other: '# pólizas al día' })]
          : []),
      ].join(', ')}.`,
    errors: (n) =>
      count(n, {
        one: 'El servidor rechazó # fila:',
        other: 'El servidor rechazó # filas:',
      }),
    unknown_row: 'Una fila',
    says: (row, name, why) => (name === '' ? `${row}: ${why}` : `${row}, ${name}: ${why}`),
    dismiss: 'Ocultar',
  },
};
