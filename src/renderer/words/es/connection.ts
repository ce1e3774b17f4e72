/** Where near misses go and who signs in: the connect screen, signing in again. */
import type { Words } from '../shape.ts';
import { count } from './say.ts';

export const connect: Words['connect'] = {
  title: '¿A dónde van los casi accidentes?',
  intro:
    'Puede cambiarlo después en Ajustes. Los casi accidentes siempre se guardan primero en esta laptop.',
  laptop: 'Datos de ejemplo',
  laptop_text:
    'Dé una vuelta con una empresa inventada. Sin red y sin cuenta. Todo se queda en esta laptop.',
  laptop_go: 'Probar con datos de ejemplo',
  firm: 'Esta laptop',
  firm_text:
    'Trabajo de verdad sin servidor. Empieza vacío y todo se queda en esta laptop. Los datos de ejemplo van aparte.',
  firm_go: 'Empezar en esta laptop',
  firm_back: 'Ir a los datos de esta laptop',
  firm_title: 'Empezar en esta laptop',
  firm_intro: 'Tres nombres y ya puede reportar. El nombre del proyecto se puede cambiar después.',
  firm_company: 'Su empresa',
  firm_project: 'Su proyecto u obra',
  firm_user: 'Su nombre',
  firm_job: 'Primer trabajo o zona',
  firm_job_hint:
    'Donde se archivan los casi accidentes, por ejemplo “Techo, lado este”. Puede agregar más cuando quiera.',
  firm_missing: 'Escriba un nombre.',
  firm_long: 'Es demasiado largo.',
  firm_start: 'Empezar',
  firm_starting: 'Preparando…',
  server: 'El servidor de la empresa',
  server_text: 'Los casi accidentes se le envían cada vez que hay conexión.',
  server_go: 'Conectar a un servidor',
  address: 'Dirección del servidor',
  address_hint: 'Como se la dio su oficina, por ejemplo https://safety.example.com',
  token: 'Token de acceso',
  token_hint: 'El token es como una contraseña solo para este programa. Se lo da su oficina.',
  company_id: 'Número de la empresa',
  company_hint: 'El número de su empresa en ese servidor.',
  check: 'Continuar',
  checking: 'Comprobando…',
  back: 'Atrás',
  company: 'Empresa',
  project: 'Proyecto',
  project_id: 'Número del proyecto',
  project_hint: 'Este servidor no muestra sus proyectos. Su oficina conoce el número.',
  hello: (name) => `Sesión iniciada como ${name}. Elija el proyecto.`,
  hello_typed: 'Sesión iniciada. Ahora escriba el número del proyecto.',
  choose_project: 'Elija un proyecto',
  no_projects:
    'Todavía no tiene ningún proyecto en este servidor. Pida a su oficina que le agregue a uno.',
  finish: 'Conectar',
  finishing: 'Conectando…',
  vault_keychain:
    'El token se guarda en el llavero de esta computadora; si no hay, hasta que cierre Spotter.',
  vault_memory:
    'No se encontró un llavero utilizable: el token se guarda hasta que cierre Spotter; después inicie sesión de nuevo. Los casi accidentes guardados no se pierden.',
  vault_memory_short: 'Sin llavero utilizable: inicie sesión de nuevo después de cerrar Spotter.',
  vault_asking_short:
    'Tal vez esta computadora pregunta por el llavero: permita el acceso a Spotter y su sesión se mantendrá iniciada.',
  address_missing: 'Escriba la dirección del servidor.',
  address_bad: 'Esto no es una dirección. Debe empezar con https:// o http://.',
  token_missing: 'Escriba el token.',
  number_missing: 'Escriba un número entero.',
  project_missing: 'Elija un proyecto.',
  refused_token: 'El servidor no acepta este token. Revise que se haya copiado completo.',
  refused_company: 'Este token no pertenece a la empresa con este número.',
  no_service: 'En esta dirección no hay ningún servicio para Spotter.',
  again_todo: 'Revise la dirección y la conexión, y presione el botón de nuevo.',
  in_use: 'En uso',
  change_safe:
    'Lo pendiente de la conexión actual queda a salvo en esta laptop y se envía cuando vuelva a ella.',
  keep: 'Mantener esta conexión',
  starting: 'Iniciando…',
};

export const sign_in: Words['sign_in'] = {
  title: 'Inicie sesión de nuevo',
  text: (n) =>
    n === 0
      ? 'No hay un token que el servidor acepte. Puede seguir trabajando; los nuevos casi accidentes se guardan en esta laptop.'
      : count(n, {
          one: 'No hay un token que el servidor acepte. # elemento está a salvo en esta laptop y se enviará cuando inicie sesión.',
          other:
            'No hay un token que el servidor acepte. # elementos están a salvo en esta laptop y se enviarán cuando inicie sesión.',
        }),
  go: 'Iniciar sesión',
  locked: 'El llavero está bloqueado',
  asking: '¿Esta computadora le está preguntando por el llavero?',
  asking_text: (n) =>
    n === 0
      ? 'Busque su pregunta y permita el acceso a Spotter: le espera dos minutos. Mientras tanto puede seguir trabajando.'
      : count(n, {
          one: 'Busque su pregunta y permita el acceso a Spotter: le espera dos minutos. Mientras tanto, # elemento está a salvo en esta laptop.',
          other:
            'Busque su pregunta y permita el acceso a Spotter: le espera dos minutos. Mientras tanto, # elementos están a salvo en esta laptop.',
        }),
  hung: 'El llavero no responde',
  denied: 'El llavero no dejó entrar a Spotter',
  absent: 'El llavero ya no está',
  locked_text: (n) =>
    n === 0
      ? 'Desbloquéelo y presione Reintentar. Mientras tanto puede seguir trabajando.'
      : count(n, {
          one: 'Desbloquéelo y presione Reintentar. Mientras tanto, # elemento está a salvo en esta laptop.',
          other:
            'Desbloquéelo y presione Reintentar. Mientras tanto, # elementos están a salvo en esta laptop.',
        }),
};
