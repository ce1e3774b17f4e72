/** Time and material: entries, and the files that belong to them. */
import type { Words } from '../shape.ts';
import { bytes, count, f } from './say.ts';

const files = (n: number): string => count(n, { one: '# archivo', other: '# archivos' });

export const tm: Words['tm'] = {
  title: 'Tiempo y materiales',
  entries: 'Entradas',
  files_of: 'Archivos',
  all: 'Todos los archivos del proyecto',
  find: 'Busque una entrada o escriba su número',
  none_found: 'Ninguna entrada se llama así.',
  open_number: (id) => `Abrir la entrada ${id}`,
  number_only: 'Este servidor no ofrece la lista de entradas: escriba el número de una.',
  entry: (id) => `Entrada ${id}`,
  number: (id) => `Entrada número ${id}`,
  files,
  files_waiting: (n, waiting) =>
    waiting === 0 ? files(n) : `${files(n)}, ${f.number(waiting)} en espera`,
  no_files_yet: 'Sin archivos',
  back: 'Todas las entradas',
  pick: 'Elija una entrada',
  pick_text: 'Aquí se ven sus fotos y archivos, y puede adjuntar más, también sin red.',
  attach: 'Adjuntar archivos',
  drop: 'Suelte aquí los archivos para adjuntarlos',
  from_project: 'Del proyecto',
  documents_title: 'Adjuntar documentos del proyecto',
  documents_text: 'Una carpeta adjunta todos los documentos que tenga cuando se envíe.',
  documents: 'Documentos',
  folders: 'Carpetas',
  no_documents: 'Este proyecto no ofrece documentos.',
  attach_chosen: (n) =>
    n === 0 ? 'Adjuntar' : count(n, { one: 'Adjuntar # elemento', other: 'Adjuntar # elementos' }),
  adding: (name) => `Agregando ${name}`,
  attached: (n) =>
    count(n, {
      one: 'Adjuntado. # archivo está a salvo en esta laptop.',
      other: 'Adjuntado. # archivos están a salvo en esta laptop.',
    }),
  documents_attached: 'Adjuntado. Se enviará cuando haya conexión.',
  duplicate: (name) => `${name} ya está adjunto a esta entrada.`,
  empty: 'Esta entrada todavía no tiene archivos',
  empty_text: 'Fotos, remisiones, planos: cualquier archivo, también sin red.',
  empty_all: 'Ninguna entrada tiene archivos todavía',
  offline:
    'Puede adjuntar y eliminar archivos. Los cambios se enviarán cuando haya conexión. Los que solo están en el servidor se abren entonces.',
  offline_nothing:
    'Los archivos del servidor se descargarán cuando haya conexión. Ya puede adjuntar archivos.',
  who_may_see: 'Quien lleva el proyecto da acceso a su tiempo y materiales. Pídaselo.',
  delete_refused: (n) =>
    count(n, {
      one: 'No se aceptó eliminar # archivo: sigue ahí',
      other: 'No se aceptó eliminar # archivos: siguen ahí',
    }),
  delete_aside: (n) =>
    count(n, {
      one: 'Eliminar # archivo quedó apartado: sigue ahí',
      other: 'Eliminar # archivos quedó apartado: siguen ahí',
    }),
  of_entry: (name) => `en ${name}`,
  of_unknown: 'el servidor no dice la entrada',
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
  delete_text:
    'Se eliminan de la entrada, aquí y en el servidor. Una vez enviado no se puede deshacer.',
  deleted: 'Eliminado.',
  deleted_queued: 'Eliminado. Se eliminará en el servidor cuando haya conexión.',
  busy: 'Estos documentos se están adjuntando. Elimínelos cuando ya estén.',
  not_here: 'Este archivo solo está en el servidor. Hace falta conexión.',
  checked: 'Comprobado',
  on_server: 'En el servidor',
  receipt: (size) => `leído de vuelta, igual, ${bytes(size)}`,
  waiting_title: (name) => `Archivos para ${name}`,
  waiting_unknown: 'Archivos de entradas de tiempo y materiales',
  waiting_line: (n, size) => (size > 0 ? `${files(n)}, ${bytes(size)}` : files(n)),
  waiting_step: (name) => `Archivo · ${name}`,
};
