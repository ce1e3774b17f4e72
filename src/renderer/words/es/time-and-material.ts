/** Time-and-material entries and their files. */
import type { Words } from '../shape.ts';
import { bytes, count } from './say.ts';
import { places } from './places.ts';

const files = (n: number): string => count(n, { one: '# archivo', other: '# archivos' });

export const tm: Words['tm'] = {
  title: places.tm,
  entries: 'Entradas',
  files_of: 'Archivos',
  all: 'Todos los archivos',
  find: 'Buscar por nombre o número',
  none_found: 'Nada coincide.',
  open_number: (id) => `Abrir la entrada ${id}`,
  number_only: 'Este servidor no tiene una lista de entradas. Escriba el número de una entrada.',
  entry: (id) => `Entrada ${id}`,
  number: (id) => `Entrada número ${id}`,
  files,
  files_waiting: (n, waiting) =>
    waiting === 0
      ? files(n)
      : `${files(n)}, ${count(waiting, { one: '# pendiente', other: '# pendientes' })}`,
  no_files_yet: 'Sin archivos',
  unfetched: 'Aún sin descargar',
  back: 'Todas las entradas',
  pick: 'Elija una entrada',
  pick_text: 'Aquí verá sus fotos y archivos. Puede adjuntar más, con red o sin ella.',
  attach: 'Adjuntar archivos',
  drop: 'Suelte aquí los archivos para adjuntarlos',
  from_project: 'Adjuntar documentos del proyecto',
  documents_title: 'Adjuntar documentos del proyecto',
  documents_text: 'Si elige una carpeta, se adjuntan todos sus documentos.',
  documents: 'Documentos',
  folders: 'Carpetas',
  no_documents: 'Este proyecto no tiene documentos.',
  attach_chosen: (n) =>
    n === 0 ? 'Adjuntar' : count(n, { one: 'Adjuntar # elemento', other: 'Adjuntar # elementos' }),
  adding: (name) => `Agregando ${name}`,
  attached: (n) =>
    count(n, {
      one: '# archivo adjuntado.',
      other: '# archivos adjuntados.',
    }),
  documents_attached: 'Adjuntado.',
  duplicate: (name) => `${name} ya está adjunto a esta entrada.`,
  empty: 'Esta entrada todavía no tiene archivos',
  empty_text: 'Fotos, remisiones, planos: cualquier archivo, con red o sin ella.',
  empty_all: 'Ninguna entrada tiene archivos todavía',
  offline:
    'Puede adjuntar y eliminar archivos. Los cambios se enviarán cuando haya conexión. Entonces podrá abrir también los archivos que solo están en el servidor.',
  offline_nothing:
    'Los archivos del servidor se descargarán cuando haya conexión. Ya puede adjuntar archivos.',
  who_may_see: 'Pida acceso a tiempo y materiales al administrador del proyecto.',
  delete_refused: (n) =>
    count(n, {
      one: 'No se pudo eliminar # archivo',
      other: 'No se pudieron eliminar # archivos',
    }),
  delete_aside: (n) =>
    count(n, {
      one: 'La eliminación de # archivo está en pausa',
      other: 'La eliminación de # archivos está en pausa',
    }),
  of_entry: (name) => `en ${name}`,
  of_unknown: 'entrada desconocida',
  size: (n) => bytes(n),
  select: (name) => `Seleccionar ${name}`,
  select_all: 'Seleccionar todo',
  selected: (n) => count(n, { one: '# seleccionado', other: '# seleccionados' }),
  open: (name) => `Abrir ${name}`,
  download: (name) => `Descargar ${name}`,
  remove: (name) => `Eliminar ${name}`,
  delete: 'Eliminar',
  delete_many: (n) => count(n, { one: 'Eliminar # archivo', other: 'Eliminar # archivos' }),
  delete_title: (n) =>
    count(n, { one: '¿Eliminar este archivo?', other: '¿Eliminar estos # archivos?' }),
  delete_text: 'Se elimina aquí y en el servidor. Una vez enviado no se puede deshacer.',
  delete_local: 'No se puede deshacer.',
  deleted: 'Eliminado.',
  busy: 'Estos documentos todavía se están adjuntando. Podrá eliminarlos después.',
  not_here: 'Este archivo solo está en el servidor. Hace falta conexión para abrirlo.',
  checked: 'Entregado',
  on_server: 'En el servidor',
  receipt: (size) => `comprobado, ${bytes(size)}`,
  waiting_title: (name) => `Archivos para ${name}`,
  waiting_unknown: 'Archivos de entradas de tiempo y materiales',
  waiting_line: (n, size) => (size > 0 ? `${files(n)}, ${bytes(size)}` : files(n)),
  waiting_step: (name) => `Archivo · ${name}`,
};
