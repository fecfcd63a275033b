import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('nl');

const disabledReasons = {
  PAYMENT_FAILED:
    'Een betaling is mislukt. Betaal de openstaande factuur, dan wordt het project weer ingeschakeld.',
  EMAIL_REPUTATION:
    'Te veel e-mails konden niet worden bezorgd of zijn als spam gemarkeerd. Verwijder verouderde adressen en zorg dat elke ontvanger toestemming heeft gegeven om je e-mail te ontvangen.',
  PHISHING_DETECTED: 'De e-mails van het project zijn gemeld als phishing.',
  MANUAL: 'Een beheerder van deze installatie heeft het uitgeschakeld.',
};

const endpointReasons = {
  GONE: 'Het endpoint antwoordde met status 410 (Gone) en accepteert dus geen gebeurtenissen meer.',
  FAILING: 'In de afgelopen 5 dagen is geen enkel verzoek aan het endpoint gelukt.',
};

const guardReasons = {
  guard_bounces: 'Te veel ervan kwamen terug: de lijst bevat adressen die niet bestaan.',
  guard_complaints: 'Te veel ervan werden als spam gemarkeerd.',
  guard_unsubscribes: 'Te veel ontvangers hebben zich afgemeld.',
  forgotten: 'Dat was 7 dagen geleden, en ze is sindsdien niet hervat.',
};

export const nl: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Een controle van uw installatie is mislukt: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Postrider openen',
    note: 'U ontvangt deze e-mail hoogstens één keer per dag voor elke controle.',
  }),
  copyLink: 'Of kopieer dit adres naar je browser:',
  verification: () => ({
    subject: 'Bevestig je e-mailadres',
    paragraphs: ['Bevestig dat dit je e-mailadres is om je Postrider-account verder in te stellen.'],
    button: 'E-mailadres bevestigen',
    note: 'De link is 24 uur geldig. Heb je je niet aangemeld? Dan kun je deze e-mail negeren.',
  }),
  passwordReset: () => ({
    subject: 'Stel je wachtwoord opnieuw in',
    paragraphs: ['Er is een nieuw wachtwoord aangevraagd voor je Postrider-account.'],
    button: 'Nieuw wachtwoord instellen',
    note: 'De link is één uur geldig. Heb je dit niet aangevraagd? Negeer deze e-mail dan; je wachtwoord blijft hetzelfde.',
  }),
  accountDeletion: () => ({
    subject: 'Verwijder je Postrider-account',
    paragraphs: [
      'In je Postrider-account is gevraagd om het te verwijderen.',
      'Open de link in de browser waarin je bent ingelogd en bevestig het daar. Een verwijderd account kan niet worden hersteld.',
    ],
    button: 'Account verwijderen',
    note: 'De link is één uur geldig. Heb je dit niet gevraagd? Negeer deze e-mail dan en beëindig de sessies die je niet herkent; je account blijft zoals het is.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'een project' : `het project ‘${project}’`;
    return {
      subject: `Uitnodiging voor ${named}`,
      paragraphs: [`${inviter} nodigt je uit om mee te werken aan ${named} in Postrider.`],
      button: 'Uitnodiging accepteren',
      note: 'De uitnodiging is 7 dagen geldig en alleen voor dit e-mailadres.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} is uitgeschakeld`,
    paragraphs: [
      `Het project ${project} verstuurt geen e-mail meer. Geplande campagnes en lopende workflows zijn beëindigd.`,
      disabledReasons[reason],
    ],
    button: 'Project openen',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} is weer ingeschakeld`,
    paragraphs: [
      `Het project ${project} kan weer e-mail versturen. Beëindigde campagnes en workflows blijven beëindigd.`,
    ],
    button: 'Project openen',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} is geverifieerd`,
    paragraphs: [
      `De DNS-records van ${domain} zijn gevonden. Je kunt nu e-mail versturen vanaf adressen van dit domein.`,
    ],
    button: 'Domein openen',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} is niet meer geverifieerd`,
    paragraphs: [
      `Bij drie controles op rij ontbraken DNS-records van ${domain}. E-mails vanaf dit domein worden geweigerd totdat de records terug zijn.`,
    ],
    button: 'Domein openen',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} is toegevoegd aan een ander project`,
    paragraphs: [
      `Een eigenaar of beheerder van dit project heeft ${domain} aan een ander project toegevoegd. Dat project kan vanaf het domein versturen zodra een eigen DNS-record is gevonden.`,
      'Had je dit niet verwacht? Controleer dan de leden van dit project.',
    ],
    button: 'Domein openen',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Een webhook-endpoint van ${project} is uitgeschakeld`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Er worden geen gebeurtenissen meer voor klaargezet. Openstaande bezorgingen wachten totdat het endpoint weer is ingeschakeld.',
    ],
    button: 'Webhooks openen',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'Het opbouwen van een e-mail van je project duurt te lang',
    paragraphs: [
      `Het opbouwen van de e-mail met het onderwerp ‘${subject}’ kostte meer tijd of geheugen dan voor één e-mail is toegestaan.`,
      'De e-mail wordt toch verstuurd: variabelen worden ingevuld, maar tags zoals lussen en voorwaarden, en waarden met filters, worden weggelaten. Vereenvoudig de template om de e-mail volledig te versturen.',
      ...(isThird
        ? [
            'Drie e-mails van je projecten hebben deze grens binnen een uur bereikt. Een uur lang worden tags en filters daarom ook in nieuwe e-mails weggelaten, zonder poging.',
          ]
        : []),
    ],
    button: 'E-mails openen',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Aanmeldingen voor ${project} zijn gepauzeerd`,
    paragraphs: [
      `Vandaag is zo veel mensen per e-mail gevraagd of ze zich op ${project} willen abonneren, zonder dat ze dat bevestigden, dat er voorlopig geen aanmeldingen meer worden aangenomen.`,
      'Meestal vullen programma’s de formulieren in met adressen van anderen. Aanmeldingen worden weer aangenomen zodra mensen bevestigen, of na een dag. Controleer op welke pagina’s je formulieren staan.',
    ],
    button: 'Formulieren openen',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Meldingen over ${project} zijn niet bewezen`,
    paragraphs: [
      `Bounces of spamklachten over e-mails van ${project} zouden het project hebben uitgeschakeld, maar de meldingen zijn niet bewezen: iedereen die een van deze e-mails heeft, kan ze hebben geschreven.`,
      'De genoemde adressen krijgen geen e-mail meer. Het project blijft verzenden. Controleer of de ontvangers met je e-mails hebben ingestemd.',
    ],
    button: 'Reputatie openen',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `E-mails van ${project} worden door ontvangende servers geweigerd`,
    paragraphs: [
      {
        blocked: `In de afgelopen 7 dagen zijn ${count} e-mails van ${project} geblokkeerd vanwege de reputatie van de verzendende server of het domein. Schrijf alleen mensen die ermee hebben ingestemd en verwijder adressen die nooit reageren; staat de server op een blokkeerlijst, vraag de beheerder dan om die te laten verwijderen.`,
        authentication: `In de afgelopen 7 dagen zijn ${count} e-mails van ${project} geweigerd omdat de afzender niet kon worden geverifieerd. Controleer de SPF-, DKIM- en DMARC-records van je domein op de pagina ervan.`,
        content: `In de afgelopen 7 dagen zijn ${count} e-mails van ${project} geweigerd vanwege hun inhoud. Controleer de links, bijlagen en tekst van wat je verzendt.`,
      }[refusal],
      'De betrokken adressen blijven behouden en het project blijft verzenden.',
    ],
    button: refusal === 'authentication' ? 'Domeinen openen' : 'Reputatie openen',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Uitvoeringen van ‘${workflow}’ mislukken`,
    paragraphs: [
      `In de afgelopen 24 uur zijn ${count} uitvoeringen van de workflow ‘${workflow}’ van het project ${project} mislukt. Het vaakst:`,
      ...failureLines(groups, (step) => `‘${step}’`),
      'Zodra de oorzaak is verholpen, kunnen ze opnieuw worden geprobeerd: elke uitvoering gaat verder bij de stap waar ze mislukte. U ontvangt deze e-mail hooguit één keer per dag.',
    ],
    button: 'Mislukte uitvoeringen openen',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `‘${workflow}’ is uitgeschakeld`,
    paragraphs: [
      `De workflow ‘${workflow}’ van het project ${project} is uitgeschakeld omdat te veel uitvoeringen zijn mislukt: ${failed} van ${visits} bij de stap ‘${step}’.`,
      'Er komt nu niemand meer in; wie erin zit, gaat verder. Herstel de stap, probeer wat is mislukt opnieuw en schakel de workflow weer in.',
    ],
    button: 'Mislukte uitvoeringen openen',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `‘${campaign}’ is gepauzeerd`,
    paragraphs: [
      `De campagne ‘${campaign}’ van het project ${project} is gepauzeerd na ${sent} van ${total} e-mails.`,
      guardReasons[reason],
      'Er wordt niets meer van verzonden totdat u haar hervat. Bekijk eerst de ontvangers; de rest kan ook worden geannuleerd.',
    ],
    button: 'De campagne openen',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `‘${campaign}’ wacht op uw beslissing`,
    paragraphs: [
      `De test van de campagne ‘${campaign}’ in het project ${project} is afgelopen.`,
      ...(isMismatch
        ? [
            'De varianten zijn te ongelijk aangekomen om toeval te zijn; mogelijk is iets anders dan hun inhoud vergeleken.',
          ]
        : []),
      'De ontvangers buiten de test krijgen niets totdat u een variant kiest. Ze kunnen ook worden geannuleerd.',
    ],
    button: 'De campagne openen',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Een programma vraagt om goedkeuring in ${project}`,
    paragraphs: [
      `Een programma met een sleutel van ${project} vraagt u om in te stemmen met iets dat e-mail zou versturen of veel zou veranderen. Er gebeurt niets voordat u beslist.`,
    ],
    button: 'Goedkeuringen openen',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Een campagne van ${project} wacht op goedkeuring`,
    paragraphs: [
      `De campagne “${campaign}” van ${project} wacht op de goedkeuring van een eigenaar of beheerder die er niet om heeft gevraagd en haar niet als laatste heeft gewijzigd. Ze wordt niet eerder verstuurd.`,
    ],
    button: 'Goedkeuringen openen',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject: percent === 100 ? 'Je opslaglimiet is bereikt' : '80% van je opslaglimiet is bereikt',
    paragraphs: [
      `Je projecten gebruiken ${megabytes(used)} van de ${megabytes(limit)} die je kunt gebruiken.`,
      percent === 100
        ? 'Nieuwe afbeeldingen, bijlagen, templates, campagnes, imports, exports en e-mails met nieuwe inhoud worden geweigerd totdat er weer ruimte is. E-mails die al zijn geaccepteerd, worden verstuurd.'
        : 'Boven de limiet worden nieuwe afbeeldingen, bijlagen, templates, campagnes, imports, exports en e-mails met nieuwe inhoud geweigerd.',
      'Verwijder afbeeldingen, templates of exports die je niet meer nodig hebt.',
    ],
    button: 'Instellingen openen',
  }),
};
