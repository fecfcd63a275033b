import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('fr');

const disabledReasons = {
  PAYMENT_FAILED: 'Un paiement a échoué. Réglez la facture en attente pour que le projet soit réactivé.',
  EMAIL_REPUTATION:
    'Trop d’e-mails n’ont pas pu être distribués ou ont été signalés comme indésirables. Supprimez les adresses obsolètes et assurez-vous que chaque destinataire a accepté de recevoir vos e-mails.',
  PHISHING_DETECTED: 'Ses e-mails ont été signalés comme hameçonnage.',
  MANUAL: 'Un administrateur de cette installation l’a désactivé.',
};

const endpointReasons = {
  GONE: 'Il a répondu avec le statut 410 (Gone), ce qui signifie qu’il n’accepte plus d’événements.',
  FAILING: 'Aucune des requêtes qui lui ont été envoyées n’a abouti depuis 5 jours.',
};

const guardReasons = {
  guard_bounces: 'Trop d’e-mails sont revenus : la liste contient des adresses qui n’existent pas.',
  guard_complaints: 'Trop d’e-mails ont été signalés comme indésirables.',
  guard_unsubscribes: 'Trop de destinataires se sont désabonnés.',
  forgotten: 'C’était il y a 7 jours, et elle n’a pas été reprise depuis.',
};

export const fr: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Une vérification de votre installation a échoué : ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Ouvrir Postrider',
    note: 'Vous recevez cet e-mail au plus une fois par jour pour chaque vérification.',
  }),
  copyLink: 'Ou copiez cette adresse dans votre navigateur :',
  verification: () => ({
    subject: 'Confirmez votre adresse e-mail',
    paragraphs: [
      'Confirmez que cette adresse e-mail est bien la vôtre pour terminer la création de votre compte Postrider.',
    ],
    button: 'Confirmer l’adresse e-mail',
    note: 'Le lien est valable 24 heures. Si vous n’avez pas créé de compte, vous pouvez ignorer cet e-mail.',
  }),
  passwordReset: () => ({
    subject: 'Réinitialisez votre mot de passe',
    paragraphs: ['Un nouveau mot de passe a été demandé pour votre compte Postrider.'],
    button: 'Définir un nouveau mot de passe',
    note: 'Le lien est valable une heure. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail ; votre mot de passe reste inchangé.',
  }),
  accountDeletion: () => ({
    subject: 'Supprimez votre compte Postrider',
    paragraphs: [
      'La suppression de votre compte Postrider a été demandée depuis ce compte.',
      'Ouvrez le lien dans le navigateur où vous êtes connecté, puis confirmez. Un compte supprimé ne peut pas être rétabli.',
    ],
    button: 'Supprimer le compte',
    note: 'Le lien est valable une heure. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail et fermez les sessions que vous ne reconnaissez pas ; votre compte reste inchangé.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'un projet' : `le projet « ${project} »`;
    return {
      subject: `Invitation à rejoindre ${named}`,
      paragraphs: [`${inviter} vous invite à rejoindre ${named} dans Postrider.`],
      button: 'Accepter l’invitation',
      note: 'L’invitation est valable 7 jours et uniquement pour cette adresse e-mail.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} est désactivé`,
    paragraphs: [
      `Le projet ${project} n’envoie plus d’e-mails. Les campagnes programmées et les workflows en cours ont été arrêtés.`,
      disabledReasons[reason],
    ],
    button: 'Ouvrir le projet',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} est de nouveau activé`,
    paragraphs: [
      `Le projet ${project} peut de nouveau envoyer des e-mails. Les campagnes et les workflows arrêtés ne reprennent pas.`,
    ],
    button: 'Ouvrir le projet',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} est vérifié`,
    paragraphs: [
      `Les enregistrements DNS de ${domain} ont été trouvés. Vous pouvez maintenant envoyer des e-mails depuis les adresses de ce domaine.`,
    ],
    button: 'Ouvrir le domaine',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} n’est plus vérifié`,
    paragraphs: [
      `Des enregistrements DNS de ${domain} étaient absents lors de trois vérifications consécutives. Les e-mails envoyés depuis ce domaine sont refusés jusqu’à ce que les enregistrements soient rétablis.`,
    ],
    button: 'Ouvrir le domaine',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} a été ajouté à un autre projet`,
    paragraphs: [
      `Un propriétaire ou un administrateur de ce projet a ajouté ${domain} à un autre projet. Celui-ci pourra envoyer des e-mails depuis ce domaine dès que son propre enregistrement DNS aura été trouvé.`,
      'Si vous ne vous y attendiez pas, vérifiez les membres de ce projet.',
    ],
    button: 'Ouvrir le domaine',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Un point de terminaison webhook de ${project} est désactivé`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Les événements ne sont plus mis en file d’attente pour lui. Les envois en attente le restent jusqu’à ce que le point de terminaison soit réactivé.',
    ],
    button: 'Ouvrir les webhooks',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'La génération d’un e-mail de votre projet prend trop de temps',
    paragraphs: [
      `La génération de l’e-mail ayant pour objet « ${subject} » a demandé plus de temps ou de mémoire qu’un e-mail ne peut en utiliser.`,
      'Il est tout de même envoyé : les variables sont remplacées, mais les balises telles que les boucles et les conditions, ainsi que les valeurs avec filtres, sont omises. Simplifiez le modèle pour que l’e-mail soit envoyé en entier.',
      ...(isThird
        ? [
            'Trois e-mails de vos projets ont atteint cette limite en une heure. Pendant une heure, les balises et les filtres des nouveaux e-mails sont donc également omis, sans essai préalable.',
          ]
        : []),
    ],
    button: 'Ouvrir les e-mails',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Les inscriptions à ${project} sont suspendues`,
    paragraphs: [
      `Tant de personnes ont été sollicitées aujourd’hui par e-mail pour s’abonner à ${project} sans confirmer qu’aucune nouvelle inscription n’est acceptée pour le moment.`,
      'La cause habituelle est un programme qui remplit les formulaires avec les adresses d’autres personnes. Les inscriptions reprennent à mesure que des personnes confirment, ou après un jour. Vérifiez sur quelles pages se trouvent vos formulaires.',
    ],
    button: 'Ouvrir les formulaires',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Les signalements concernant ${project} ne sont pas prouvés`,
    paragraphs: [
      `Des rebonds ou des plaintes pour spam concernant les e-mails de ${project} l’auraient désactivé, mais ces signalements ne sont pas prouvés : toute personne ayant reçu l’un de ces e-mails a pu les écrire.`,
      'Les adresses concernées ne reçoivent plus d’e-mails. Le projet continue d’envoyer. Vérifiez que ses destinataires ont accepté de recevoir vos e-mails.',
    ],
    button: 'Ouvrir la réputation',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `Des e-mails de ${project} sont refusés par les serveurs de destination`,
    paragraphs: [
      {
        blocked: `Ces 7 derniers jours, ${count} e-mails de ${project} ont été bloqués à cause de la réputation du serveur ou du domaine d’envoi. N’écrivez qu’aux personnes qui l’ont accepté et retirez les adresses qui ne réagissent jamais ; si le serveur figure sur une liste de blocage, demandez à son exploitant de l’en faire retirer.`,
        authentication: `Ces 7 derniers jours, ${count} e-mails de ${project} ont été refusés parce que l’expéditeur n’a pas pu être authentifié. Vérifiez les enregistrements SPF, DKIM et DMARC de votre domaine sur sa page.`,
        content: `Ces 7 derniers jours, ${count} e-mails de ${project} ont été refusés à cause de leur contenu. Vérifiez les liens, les pièces jointes et le texte de vos envois.`,
      }[refusal],
      'Les adresses concernées sont conservées et le projet continue d’envoyer.',
    ],
    button: refusal === 'authentication' ? 'Ouvrir les domaines' : 'Ouvrir la réputation',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Des exécutions de « ${workflow} » échouent`,
    paragraphs: [
      `Au cours des dernières 24 heures, ${count} exécutions du workflow « ${workflow} » du projet ${project} ont échoué. Le plus souvent :`,
      ...failureLines(groups, (step) => `« ${step} »`),
      'Une fois la cause corrigée, elles peuvent être relancées : chacune reprend à l’étape où elle a échoué. Vous recevez cet e-mail au plus une fois par jour.',
    ],
    button: 'Ouvrir les exécutions en échec',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `« ${workflow} » a été désactivé`,
    paragraphs: [
      `Le workflow « ${workflow} » du projet ${project} a été désactivé, car trop d’exécutions ont échoué : ${failed} sur ${visits} à l’étape « ${step} ».`,
      'Plus personne n’y entre ; les personnes qui s’y trouvent continuent. Corrigez l’étape, relancez ce qui a échoué, puis réactivez le workflow.',
    ],
    button: 'Ouvrir les exécutions en échec',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `« ${campaign} » a été mise en pause`,
    paragraphs: [
      `La campagne « ${campaign} » du projet ${project} a été mise en pause après ${sent} e-mails sur ${total}.`,
      guardReasons[reason],
      'Plus rien n’en est envoyé tant que vous ne la reprenez pas. Examinez d’abord les destinataires ; le reste peut aussi être annulé.',
    ],
    button: 'Ouvrir la campagne',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `« ${campaign} » attend votre décision`,
    paragraphs: [
      `Le test de la campagne « ${campaign} » du projet ${project} est terminé.`,
      ...(isMismatch
        ? [
            'Les variantes sont arrivées dans des proportions trop inégales pour être dues au hasard : autre chose que leur contenu a peut-être été comparé.',
          ]
        : []),
      'Les destinataires hors du test ne reçoivent rien tant que vous ne choisissez pas une variante. Leur envoi peut aussi être annulé.',
    ],
    button: 'Ouvrir la campagne',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Un programme demande une approbation dans ${project}`,
    paragraphs: [
      `Un programme qui utilise une clé de ${project} vous demande d’accepter une action qui enverrait des e-mails ou modifierait beaucoup de données. Rien n’est fait avant votre décision.`,
    ],
    button: 'Ouvrir les approbations',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Une campagne de ${project} attend votre approbation`,
    paragraphs: [
      `La campagne « ${campaign} » de ${project} attend l’approbation d’un propriétaire ou administrateur qui ne l’a ni demandée ni modifiée en dernier. Elle n’est pas envoyée avant.`,
    ],
    button: 'Ouvrir les approbations',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject:
      percent === 100
        ? 'Votre limite de stockage est atteinte'
        : '80 % de votre limite de stockage sont atteints',
    paragraphs: [
      `Vos projets occupent ${megabytes(used)} sur les ${megabytes(limit)} dont vous disposez.`,
      percent === 100
        ? 'Les nouvelles images, pièces jointes, modèles, campagnes, importations, exportations et e-mails au contenu nouveau sont refusés tant que la place manque. Les e-mails déjà acceptés sont envoyés.'
        : 'Au-delà de la limite, les nouvelles images, pièces jointes, modèles, campagnes, importations, exportations et e-mails au contenu nouveau sont refusés.',
      'Supprimez les images, modèles ou exportations dont vous n’avez plus besoin.',
    ],
    button: 'Ouvrir les paramètres',
  }),
};
