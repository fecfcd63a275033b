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
    topics: 'Que souhaitez-vous recevoir\u00a0?',
    save: 'Enregistrer',
    saved: 'Vos choix sont enregistrés.',
    all: 'Se désabonner de tout',
  },
  state: {
    subscribed: 'Vous êtes abonné.',
    unsubscribed: 'Vous êtes désabonné.',
    notSubscribed: 'Vous n’êtes pas abonné.',
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
  topic: {
    title: 'Ne plus recevoir «\u00a0{topic}\u00a0»\u00a0?',
    lead: '{project} n’enverra plus «\u00a0{topic}\u00a0» à {email}. Le reste ne change pas.',
    button: 'Ne plus recevoir «\u00a0{topic}\u00a0»',
    done: 'Vous ne recevrez plus «\u00a0{topic}\u00a0».',
    doneText: '{project} n’enverra plus «\u00a0{topic}\u00a0» à {email}. Le reste ne change pas.',
  },
  erased: {
    title: 'Votre adresse n’est plus enregistrée ici',
    text: '{project} a supprimé ce qui vous concernait. Si votre adresse revenait un jour dans ses listes, ce choix vous éviterait de recevoir lettres d’information et offres.',
    button: 'Ne plus jamais m’écrire',
    done: 'Nous ne vous écrirons plus.',
    doneText:
      'L’adresse à laquelle ce lien a été envoyé ne recevra plus de lettres d’information ni d’offres de {project}.',
  },
  lost: {
    title: 'Quelle adresse ne doit plus recevoir d’e-mails ?',
    lead: 'Ce service a perdu des données, et ce lien n’indique plus à quelle adresse il a été envoyé. Saisissez l’adresse. Aucun expéditeur qui utilise ce service ne lui enverra plus de newsletters ni d’offres.',
    done: 'Aucun expéditeur qui utilise ce service n’enverra plus de newsletters ni d’offres à {email}.',
  },
  confirm: {
    title: 'Veuillez confirmer votre abonnement',
    lead: 'Quelqu’un, sans doute vous, a demandé à {project} d’envoyer des e-mails à {email}.',
    topics: 'Vous recevrez\u00a0:',
    wording: 'Vous acceptez ceci\u00a0:',
    button: 'Confirmer',
    decline: 'Je n’ai rien demandé',
    done: 'Votre abonnement est confirmé.',
    doneText: '{project} écrira à {email}. Chaque e-mail contient un lien de désabonnement.',
    already: 'Vous avez déjà confirmé cet abonnement.',
    declined: 'Merci de nous l’avoir signalé.',
    declinedText: '{email} n’est pas abonné par cette demande, et {project} ne vous la renverra pas.',
    expired: 'Ce lien a expiré',
    expiredText:
      'Il était valable 7 jours. Si vous souhaitez toujours recevoir des nouvelles de {project}, veuillez vous inscrire à nouveau.',
    again: 'S’inscrire à nouveau',
  },
  form: {
    email: 'Adresse e-mail',
    optional: 'facultatif',
    received: 'Consultez votre boîte de réception',
    receivedText:
      'Un e-mail est en route vers {email}. Rien ne se passe tant que vous n’ouvrez pas le lien qu’il contient. S’il n’arrive pas, regardez dans vos courriers indésirables.',
    problem: 'Veuillez vérifier les champs signalés.',
    badEmail: 'Saisissez une adresse e-mail comme nom@example.com.',
    badDomain: 'Il n’y a pas de boîte à cette adresse. Vérifiez la partie après le @.',
    required: 'Ce champ est nécessaire.',
    badValue: 'Cette valeur ne peut pas être utilisée.',
    noTopic: 'Choisissez-en au moins un.',
    closed: 'Ce formulaire est fermé',
    closedText: 'Il n’accepte plus d’inscriptions.',
    limited: 'Trop de tentatives',
    limitedText: 'Veuillez réessayer plus tard.',
    refused: 'Ce formulaire ne peut pas être utilisé sur cette page',
    refusedText: 'Son propriétaire ne l’a pas autorisé ici.',
    check: 'Encore une étape',
    checkText:
      'Veuillez attendre cinq secondes, puis appuyer sur le bouton. Cela évite les inscriptions automatiques.',
    checkEarly: 'C’était trop tôt. Veuillez attendre cinq secondes, puis appuyer sur le bouton.',
    continue: 'Continuer',
    privacy: 'Confidentialité',
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
