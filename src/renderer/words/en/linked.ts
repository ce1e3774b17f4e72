/** A near miss that was opened by the link of a mail and cannot be shown yet. */

export const linked = {
  opening: (number: string) => `Opening near miss ${number}…`,
  elsewhere: (number: string) => `Near miss ${number} is not in this company`,
  elsewhere_text: (company: string) =>
    `You are connected to ${company}. Connect to the company that sent the email to open the near miss. Reports that are waiting stay safe on this laptop.`,
  connect: 'Connect',
  no_project: (number: string) => `You cannot see the project of near miss ${number}`,
  no_project_text: 'Nothing was changed. Ask an admin of your company to give you the project.',
  gone: (number: string) => `Near miss ${number} cannot be shown`,
  gone_text:
    'It was deleted, or you may no longer see it. Nothing on this laptop was changed. Ask the person who reported it, or an admin.',
  not_here: (number: string) => `Near miss ${number} is not on this laptop yet`,
};
