/** The kind of a report, with examples of each trade. */

export const kind = {
  /** By trade (near-miss-form/trades.ts); `any` where none was chosen. */
  examples: {
    any: {
      'near miss':
        'Something happened and nobody was hurt: a plank fell where a person had just stood.',
      'unsafe condition': 'Nothing happened yet: an opening in the floor without a cover.',
      'good catch':
        'Somebody saw it and stopped it in time: a worn sling was taken away before the lift.',
    },
    scaffold: {
      'near miss': 'A clamp fell from level 4 and landed on the walkway.',
      'unsafe condition': 'A guard rail is missing at the end of level 2.',
      'good catch': 'A missing tie was seen in the morning check, and the level was closed.',
    },
    lifting: {
      'near miss': 'The load swung over the fence and touched nobody.',
      'unsafe condition': 'The hook’s latch does not close.',
      'good catch': 'The slinger saw a cut in the sling, and the lift was stopped.',
    },
    electrical: {
      'near miss': 'A cable was cut that was thought to be dead. Nobody was hurt.',
      'unsafe condition': 'A distribution box stands open in the rain.',
      'good catch': 'The circuit was tested once more, and was still live.',
    },
    excavation: {
      'near miss': 'The side of the trench slid a minute after everybody had left it.',
      'unsafe condition': 'Spoil lies at the edge of the trench.',
      'good catch': 'Cracks were seen at the edge, and nobody went in.',
    },
    vehicles: {
      'near miss': 'The dumper reversed and stopped a metre from a person.',
      'unsafe condition': 'The walkway crosses the haul road without a barrier.',
      'good catch': 'The banksman stopped the lorry before it turned into the closed lane.',
    },
    hot_work: {
      'near miss': 'Sparks set packing alight. It was put out at once.',
      'unsafe condition': 'Gas bottles stand beside the cutting place.',
      'good catch': 'The fire watch found it still glowing after the work had ended.',
    },
  },
  hurt: 'Somebody was hurt?',
  hurt_title: 'Then this is not a near miss',
  hurt_text:
    'Help the person first, and call for medical help. Keep the place as it is where that is safe. Then tell the person in charge of the site, and report the accident the way your company does: a near miss is not enough. What you have typed here stays as a draft.',
};
