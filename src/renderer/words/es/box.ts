/** The report box: its switch, its posters, and the inbox. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const box: Words['box'] = {
  about:
    'Con un cartel con código QR, todos en la obra pueden reportar desde su teléfono: un texto, fotos y, si quieren, su nombre. Sin aplicación, sin cuenta, sin internet.',
  stays: 'Los reportes llegan solo a esta laptop. Nada se envía antes de que usted lo registre.',
  lets: 'Mientras esté encendido, los teléfonos de la red elegida pueden llegar a esta laptop.',
  none: 'Este programa no tiene buzón de reportes',
  none_text: 'Para usarlo, abra el programa de Spotter.',
  turn_on: 'Encender',
  turn_off: 'Apagar',
  print: 'Imprimir el cartel',
  code: 'Código QR del buzón de reportes',
  states: {
    none: 'No disponible',
    off: 'El buzón está apagado',
    open: 'El buzón está abierto',
    no_network: 'La red no está',
    port_taken: 'Otro programa lo impide',
    failed: 'El sistema no lo permite',
  },
  todo: {
    off: 'Los teléfonos no pueden enviar. Los reportes que ya están se quedan.',
    no_network:
      'Los carteles tienen una dirección que esta laptop no tiene ahora. El buzón se abre solo cuando vuelva. Si la dirección cambió, elija la red nueva e imprima carteles nuevos.',
    port_taken:
      'Otro programa usa el puerto que está en los carteles. Ciérrelo o haga carteles nuevos.',
    failed: 'Permita Spotter en el cortafuegos; después apague y encienda el buzón.',
  },
  at: (address: string) => `Dirección: ${address}`,
  network: 'Red',
  network_hint:
    'Una zona Wi-Fi propia siempre conserva su dirección. En otra red Wi-Fi, pida una fija: con otra dirección hacen falta carteles nuevos.',
  no_networks:
    'Esta laptop no está en ninguna red. Conéctese al Wi-Fi de la obra o cree una zona Wi-Fi y vuelva a mirar aquí.',
  wifi: 'Nombre del Wi-Fi para el cartel',
  renew: 'Carteles nuevos…',
  renew_title: '¿Anular los carteles anteriores?',
  renew_text:
    'El código cambia. Quien escanee un cartel anterior verá que ya no vale. Los reportes y sus códigos se quedan.',
  renew_yes: 'Hacer nuevos',
  renewed: 'El código es nuevo. Imprima otra vez el cartel.',
  inbox: 'Pendientes',
  empty: 'No hay nada pendiente',
  empty_text: 'Aquí aparecen los reportes de los teléfonos.',
  no_text: 'Sin texto, solo fotos',
  no_name: 'Sin nombre',
  by: (name: string) => `De ${name}`,
  written_in: (language: string) => `Página en ${language}`,
  code_of: (code: string) => `Código ${code}`,
  photo: (n: number) => `Foto ${n}`,
  file: 'Registrar',
  filing: 'Abriendo…',
  cannot_read: 'No se pudo leer una foto. Inténtelo de nuevo.',
  told_by: (name: string) => `Contado por: ${name}`,
  discard: 'Descartar…',
  discard_title: '¿Descartar este reporte?',
  discard_text: 'Quien pregunte con su código leerá el motivo. El reporte se guarda 30 días.',
  reason: 'Motivo',
  reason_hint: 'Por ejemplo: ya lo sabemos, es el número 112.',
  reason_missing: 'Diga por qué.',
  discard_yes: 'Descartar',
  discarded: 'Descartado.',
  closed: 'Registrados y descartados',
  was_filed: (number: string) => (number === '' ? 'Registrado' : `Registrado: ${number}`),
  was_discarded: (reason: string) => `Descartado: ${reason}`,
  open: 'Abrirlo',
  put_back: 'Devolver',
  more: (n: number) => count(n, { one: 'Mostrar # más', other: 'Mostrar # más' }),
};
