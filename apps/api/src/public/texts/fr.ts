import type { PageTexts } from './texts.ts';

export const fr: PageTexts = {
  unsubscribe: {
    title: 'Vous désabonner de {project}\u00a0?',
    lead: 'Nous n’enverrons plus de lettres d’information ni d’offres à {email}.',
    button: 'Me désabonner',
  },
  subscribe: {
    title: 'Vous abonner à {project}\u00a0?',
    lead: 'Vous recevrez des nouvelles et des offres à l’adresse {email}.',
    button: 'M’abonner',
  },
  snooze: {
    title: 'Faire une pause',
    lead: 'Vous ne recevrez rien pendant un moment. Ensuite, les e-mails reprendront d’eux-mêmes.',
    '2w': '2 semaines',
    '1m': '1 mois',
    '6m': '6 mois',
    '1y': '1 an',
  },
  manage: {
    title: 'Préférences d’e-mail',
    lead: 'Choisissez ce que {project} envoie à {email}.',
    link: 'Voir tous les choix',
  },
  state: {
    subscribed: 'Vous êtes abonné.',
    unsubscribed: 'Vous êtes désabonné.',
    snoozed: 'Les e-mails sont suspendus jusqu’au {date}.',
  },
  done: {
    subscribed: 'Vous recevrez de nouveau les e-mails de {project} à l’adresse {email}.',
    unsubscribed:
      'Nous n’envoyons plus de lettres d’information ni d’offres à {email}. Des messages concernant vos commandes ou votre compte peuvent encore vous parvenir.',
    changedMind: 'Vous avez changé d’avis\u00a0?',
  },
  test: 'Ce lien provient d’un e-mail de test. Il ne change rien.',
  notMe: {
    title: 'Ce compte n’est pas le vôtre\u00a0?',
    lead: 'Quelqu’un s’est inscrit sur {host} avec {email}. Si ce n’était pas vous, nous retirons l’adresse de ce compte, désactivons ses projets et ne vous envoyons plus rien.',
    button: 'Ce n’était pas moi',
    done: '{email} n’appartient plus à ce compte. Ses projets sont désactivés.',
  },
  notFound: {
    title: 'Ce lien ne fonctionne pas',
    text: 'Il est peut-être incomplet ou n’est plus valable. Utilisez le lien du dernier e-mail que vous avez reçu.',
  },
  blocked: {
    title: 'Ce lien a été désactivé',
    text: 'Les e-mails qui le contenaient ont été signalés comme une tentative de fraude. Ne saisissez ni mot de passe ni coordonnées bancaires sur les pages auxquelles ils menaient.',
  },
  badChoice: {
    title: 'Nous n’avons pas compris ce choix',
    text: 'Rien n’a été modifié. Veuillez choisir à nouveau.',
  },
  failure: {
    title: 'Un problème est survenu',
    text: 'L’erreur vient de nous. Veuillez réessayer dans un instant.',
  },
};
