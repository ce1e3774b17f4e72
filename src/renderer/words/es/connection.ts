/** Where near misses go and who signs in: the connect screen, signing in again. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const connect: Words['connect'] = {
  title: '¿A dónde van los casi accidentes?',
  intro:
    'Puede cambiarlo después en Ajustes. Los casi accidentes siempre se guardan primero en esta laptop.',
  laptop: 'Datos de ejemplo',
  laptop_text:
    'Conozca Spotter con una empresa inventada. Sin red y sin cuenta. Todo se queda en esta laptop.',
  laptop_go: 'Probar con datos de ejemplo',
  firm: 'Esta laptop',
  firm_text:
    'Trabajo de verdad sin servidor. Empieza vacío y todo se queda en esta laptop. Los datos de ejemplo van aparte.',
  firm_go: 'Empezar en esta laptop',
  firm_back: 'Ir a los datos de esta laptop',
  firm_title: 'Empezar en esta laptop',
  firm_intro:
    'Escriba tres nombres y ya puede reportar. El nombre del proyecto se puede cambiar después.',
  firm_company: 'Su empresa',
  firm_project: 'Su proyecto u obra',
  firm_user: 'Su nombre',
  firm_job: 'Primer trabajo o zona',
  firm_job_hint:
    'Los casi accidentes se archivan ahí, por ejemplo “Techo, lado este”. Puede agregar más cuando quiera.',
  firm_missing: 'Escriba un nombre.',
  firm_long: 'Es demasiado largo.',
  firm_start: 'Empezar',
  firm_starting: 'Preparando…',
  server: 'El servidor de la empresa',
  server_text: 'Los casi accidentes se envían al servidor cada vez que hay conexión.',
  server_go: 'Conectar a un servidor',
  address: 'Dirección del servidor',
  address_hint: 'Pídala a su oficina, por ejemplo https://safety.example.com',
  token: 'Token de acceso',
  token_hint: 'Es como una contraseña, solo para esta aplicación. Pídalo a su oficina.',
  company_id: 'Número de la empresa',
  company_hint: 'El número de su empresa en ese servidor.',
  check: 'Continuar',
  checking: 'Comprobando…',
  back: 'Atrás',
  company: 'Empresa',
  project: 'Proyecto',
  project_id: 'Número del proyecto',
  project_hint: 'Este servidor no muestra sus proyectos. Pida el número a su oficina.',
  hello: (name) => `Sesión iniciada como ${name}. Elija el proyecto.`,
  hello_typed: 'Sesión iniciada. Ahora escriba el número del proyecto.',
  choose_project: 'Elija un proyecto',
  no_projects:
    'Todavía no tiene ningún proyecto en este servidor. Pida a su oficina que le agregue a uno.',
  finish: 'Conectar',
  finishing: 'Conectando…',
  vault_keychain:
    'El token se guarda en el llavero de esta computadora. Si no hay llavero, se guarda hasta que cierre Spotter.',
  vault_memory:
    'Spotter no encontró un llavero. Tendrá que iniciar sesión cada vez que abra Spotter. Los casi accidentes guardados no se pierden.',
  vault_memory_short:
    'No se encontró un llavero. Tendrá que iniciar sesión de nuevo después de cerrar Spotter.',
  vault_asking_short:
    'Tal vez esta computadora pregunta por el llavero. Permita el acceso a Spotter para no tener que iniciar sesión otra vez.',
  address_missing: 'Escriba la dirección del servidor.',
  address_bad: 'Esto no es una dirección web. Debe empezar con https:// o http://.',
  token_missing: 'Escriba el token.',
  number_missing: 'Escriba un número entero.',
  project_missing: 'Elija un proyecto.',
  refused_token: 'El servidor no acepta este token. Revise que lo haya copiado completo.',
  refused_company: 'Este token no pertenece a la empresa con este número.',
  no_service: 'En esta dirección no hay ningún servidor de Spotter.',
  again_todo: 'Revise la dirección y la conexión, y reintente.',
  in_use: 'En uso',
  change_safe:
    'Los reportes pendientes de la conexión actual quedan a salvo en esta laptop. Se enviarán cuando vuelva a ella.',
  keep: 'Mantener esta conexión',
  starting: 'Iniciando…',
};

export const sign_in: Words['sign_in'] = {
  title: 'Inicie sesión de nuevo',
  text: (n) =>
    n === 0
      ? 'Puede seguir trabajando. Los nuevos reportes se guardan en esta laptop.'
      : count(n, {
          one: '# elemento está a salvo en esta laptop y se enviará cuando inicie sesión.',
          other: '# elementos están a salvo en esta laptop y se enviarán cuando inicie sesión.',
        }),
  go: 'Iniciar sesión',
  locked: 'El llavero está bloqueado',
  asking: '¿Esta computadora le está preguntando por el llavero?',
  asking_text: (n) =>
    n === 0
      ? 'Busque la pregunta de la computadora y permita el acceso a Spotter en menos de dos minutos. Puede seguir trabajando.'
      : count(n, {
          one: 'Busque la pregunta de la computadora y permita el acceso a Spotter en menos de dos minutos. # elemento está a salvo en esta laptop.',
          other:
            'Busque la pregunta de la computadora y permita el acceso a Spotter en menos de dos minutos. # elementos están a salvo en esta laptop.',
        }),
  hung: 'El llavero no responde',
  denied: 'El llavero rechazó a Spotter',
  absent: 'Falta el llavero',
  locked_text: (n) =>
    n === 0
      ? 'Desbloquee el llavero y presione Reintentar. Puede seguir trabajando.'
      : count(n, {
          one: 'Desbloquee el llavero y presione Reintentar. # elemento está a salvo en esta laptop.',
          other:
            'Desbloquee el llavero y presione Reintentar. # elementos están a salvo en esta laptop.',
        }),
};
