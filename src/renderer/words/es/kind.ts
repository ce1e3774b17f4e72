/** The kind of a report, with examples of each trade. */
import type { Words } from '../shape.ts';

export const kind: Words['kind'] = {
  examples: {
    any: {
      'near miss':
        'Pasó algo y nadie resultó herido: cayó un tablón donde acababa de estar una persona.',
      'unsafe condition': 'Todavía no ha pasado nada: un hueco en el suelo sin tapar.',
      'good catch':
        'Alguien lo vio y lo paró a tiempo: se retiró una eslinga gastada antes del izaje.',
    },
    scaffold: {
      'near miss': 'Una abrazadera cayó del nivel 4 al paso de peatones.',
      'unsafe condition': 'Falta una barandilla al final del nivel 2.',
      'good catch':
        'En la revisión de la mañana se vio que faltaba un anclaje, y se cerró el nivel.',
    },
    lifting: {
      'near miss': 'La carga se balanceó por encima de la valla y no tocó a nadie.',
      'unsafe condition': 'El pestillo del gancho no cierra.',
      'good catch': 'El eslingador vio un corte en la eslinga y se paró el izaje.',
    },
    electrical: {
      'near miss': 'Se cortó un cable que se creía sin tensión. Nadie resultó herido.',
      'unsafe condition': 'Un cuadro eléctrico está abierto bajo la lluvia.',
      'good catch': 'Se comprobó el circuito una vez más, y seguía con tensión.',
    },
    excavation: {
      'near miss':
        'La pared de la zanja se vino abajo un minuto después de que saliera todo el mundo.',
      'unsafe condition': 'Hay tierra acopiada en el borde de la zanja.',
      'good catch': 'Se vieron grietas en el borde y nadie entró.',
    },
    vehicles: {
      'near miss': 'El dúmper dio marcha atrás y paró a un metro de una persona.',
      'unsafe condition': 'El paso de peatones cruza la pista de obra sin barrera.',
      'good catch': 'El señalista paró el camión antes de que entrara en el carril cerrado.',
    },
    hot_work: {
      'near miss': 'Las chispas prendieron un embalaje. Se apagó enseguida.',
      'unsafe condition': 'Hay botellas de gas junto al puesto de corte.',
      'good catch': 'La vigilancia lo encontró aún al rojo cuando el trabajo había terminado.',
    },
  },
  hurt: '¿Hay algún herido?',
  hurt_title: 'Entonces no es un casi accidente',
  hurt_text:
    'Atienda primero a la persona y pida ayuda médica. Deje el lugar como está si es seguro. Después avise a quien dirige la obra y comunique el accidente como lo hace su empresa: un casi accidente no basta. Lo que ha escrito aquí queda como borrador.',
};
