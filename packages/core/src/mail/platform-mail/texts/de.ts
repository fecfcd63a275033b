import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('de');

const disabledReasons = {
  PAYMENT_FAILED:
    'Eine Zahlung ist fehlgeschlagen. Sobald Sie die offene Rechnung bezahlt haben, wird das Projekt wieder aktiviert.',
  EMAIL_REPUTATION:
    'Zu viele seiner E-Mails waren unzustellbar oder wurden als Spam gemeldet. Entfernen Sie veraltete Adressen und stellen Sie sicher, dass alle Empfänger dem Erhalt Ihrer E-Mails zugestimmt haben.',
  PHISHING_DETECTED: 'Seine E-Mails wurden als Phishing gemeldet.',
  MANUAL: 'Es wurde von einem Administrator dieser Installation deaktiviert.',
};

const endpointReasons = {
  GONE: 'Er hat mit dem Status 410 (Gone) geantwortet und nimmt somit keine Ereignisse mehr an.',
  FAILING: 'Seit 5 Tagen ist keine Anfrage an ihn gelungen.',
};

const guardReasons = {
  guard_bounces: 'Zu viele davon kamen zurück: Die Liste enthält Adressen, die es nicht gibt.',
  guard_complaints: 'Zu viele davon wurden als Spam markiert.',
  guard_unsubscribes: 'Zu viele Empfänger haben sich abgemeldet.',
  forgotten: 'Das war vor 7 Tagen, und sie wurde seither nicht fortgesetzt.',
};

export const de: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Eine Prüfung Ihrer Installation ist fehlgeschlagen: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Postrider öffnen',
    note: 'Sie erhalten diese E-Mail für jede Prüfung höchstens einmal am Tag.',
  }),
  copyLink: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
  verification: () => ({
    subject: 'Bestätigen Sie Ihre E-Mail-Adresse',
    paragraphs: [
      'Bestätigen Sie, dass dies Ihre E-Mail-Adresse ist, um die Einrichtung Ihres Postrider-Kontos abzuschließen.',
    ],
    button: 'E-Mail-Adresse bestätigen',
    note: 'Der Link ist 24 Stunden gültig. Falls Sie sich nicht registriert haben, können Sie diese E-Mail ignorieren.',
  }),
  passwordReset: () => ({
    subject: 'Setzen Sie Ihr Passwort zurück',
    paragraphs: ['Für Ihr Postrider-Konto wurde ein neues Passwort angefordert.'],
    button: 'Neues Passwort festlegen',
    note: 'Der Link ist eine Stunde gültig. Falls Sie kein neues Passwort angefordert haben, ignorieren Sie diese E-Mail; Ihr Passwort bleibt unverändert.',
  }),
  accountDeletion: () => ({
    subject: 'Löschen Sie Ihr Postrider-Konto',
    paragraphs: [
      'In Ihrem Postrider-Konto wurde beantragt, es zu löschen.',
      'Öffnen Sie den Link in dem Browser, in dem Sie angemeldet sind, und bestätigen Sie dort. Ein gelöschtes Konto kann nicht wiederhergestellt werden.',
    ],
    button: 'Konto löschen',
    note: 'Der Link ist eine Stunde gültig. Falls Sie das nicht beantragt haben, ignorieren Sie diese E-Mail und beenden Sie die Sitzungen, die Sie nicht kennen; Ihr Konto bleibt unverändert.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'einem Projekt' : `dem Projekt „${project}“`;
    return {
      subject: `Einladung zu ${named}`,
      paragraphs: [`${inviter} lädt Sie ein, in Postrider an ${named} mitzuarbeiten.`],
      button: 'Einladung annehmen',
      note: 'Die Einladung ist 7 Tage gültig und gilt nur für diese E-Mail-Adresse.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} wurde deaktiviert`,
    paragraphs: [
      `Das Projekt ${project} versendet keine E-Mails mehr. Geplante Kampagnen und laufende Workflows wurden beendet.`,
      disabledReasons[reason],
    ],
    button: 'Projekt öffnen',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} ist wieder aktiviert`,
    paragraphs: [
      `Das Projekt ${project} kann wieder E-Mails versenden. Beendete Kampagnen und Workflows werden nicht fortgesetzt.`,
    ],
    button: 'Projekt öffnen',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} ist verifiziert`,
    paragraphs: [
      `Die DNS-Einträge von ${domain} wurden gefunden. Sie können jetzt E-Mails von Adressen dieser Domain versenden.`,
    ],
    button: 'Domain öffnen',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} ist nicht mehr verifiziert`,
    paragraphs: [
      `Bei drei Prüfungen in Folge fehlten DNS-Einträge von ${domain}. E-Mails von dieser Domain werden abgelehnt, bis die Einträge wieder vorhanden sind.`,
    ],
    button: 'Domain öffnen',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} wurde zu einem anderen Projekt hinzugefügt`,
    paragraphs: [
      `Ein Inhaber oder Administrator dieses Projekts hat ${domain} zu einem anderen Projekt hinzugefügt. Dieses kann von der Domain senden, sobald ein eigener DNS-Eintrag gefunden wird.`,
      'Falls Sie das nicht erwartet haben, prüfen Sie die Mitglieder dieses Projekts.',
    ],
    button: 'Domain öffnen',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Ein Webhook-Endpunkt von ${project} wurde deaktiviert`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Für ihn werden keine Ereignisse mehr vorgemerkt. Ausstehende Zustellungen warten, bis der Endpunkt wieder aktiviert wird.',
    ],
    button: 'Webhooks öffnen',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'Das Erstellen einer E-Mail Ihres Projekts dauert zu lange',
    paragraphs: [
      `Das Erstellen der E-Mail mit dem Betreff „${subject}“ hat mehr Zeit oder Speicher benötigt, als für eine E-Mail erlaubt ist.`,
      'Sie wird trotzdem versendet: Variablen werden eingesetzt, aber Tags wie Schleifen und Bedingungen sowie Ausgaben mit Filtern entfallen. Vereinfachen Sie die Vorlage, damit die E-Mail vollständig versendet wird.',
      ...(isThird
        ? [
            'Drei E-Mails Ihrer Projekte haben diese Grenze innerhalb einer Stunde erreicht. Eine Stunde lang entfallen Tags und Filter deshalb auch in neuen E-Mails, ohne dass es versucht wird.',
          ]
        : []),
    ],
    button: 'E-Mails öffnen',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Anmeldungen zu ${project} sind angehalten`,
    paragraphs: [
      `Heute wurden so viele Menschen per E-Mail gefragt, ob sie ${project} abonnieren möchten, und haben nicht bestätigt, dass vorerst keine weiteren Anmeldungen angenommen werden.`,
      'Meist füllen Programme die Formulare mit fremden Adressen aus. Anmeldungen werden wieder angenommen, sobald Menschen bestätigen, oder nach einem Tag. Prüfen Sie, auf welchen Seiten Ihre Formulare stehen.',
    ],
    button: 'Formulare öffnen',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Meldungen über ${project} sind nicht belegt`,
    paragraphs: [
      `Unzustellbarkeitsmeldungen oder Spam-Beschwerden über E-Mails von ${project} hätten das Projekt deaktiviert, sind aber nicht belegt: Jeder, der eine dieser E-Mails hat, könnte sie geschrieben haben.`,
      'Die genannten Adressen erhalten keine E-Mails mehr. Das Projekt sendet weiter. Prüfen Sie, ob die Empfänger dem Erhalt Ihrer E-Mails zugestimmt haben.',
    ],
    button: 'Reputation öffnen',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `E-Mails von ${project} werden von Empfangsservern abgelehnt`,
    paragraphs: [
      {
        blocked: `In den letzten 7 Tagen wurden ${count} E-Mails von ${project} wegen der Reputation des sendenden Servers oder der Domain blockiert. Schreiben Sie nur Personen, die zugestimmt haben, und entfernen Sie Adressen, die nie reagieren; steht der Server auf einer Sperrliste, bitten Sie seinen Betreiber um die Entfernung.`,
        authentication: `In den letzten 7 Tagen wurden ${count} E-Mails von ${project} abgelehnt, weil der Absender nicht bestätigt werden konnte. Prüfen Sie die SPF-, DKIM- und DMARC-Einträge Ihrer Domain auf deren Seite.`,
        content: `In den letzten 7 Tagen wurden ${count} E-Mails von ${project} wegen ihres Inhalts abgelehnt. Prüfen Sie Links, Anhänge und Wortwahl Ihrer E-Mails.`,
      }[refusal],
      'Die betroffenen Adressen bleiben erhalten, und das Projekt sendet weiter.',
    ],
    button: refusal === 'authentication' ? 'Domains öffnen' : 'Reputation öffnen',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Ausführungen von „${workflow}“ schlagen fehl`,
    paragraphs: [
      `In den letzten 24 Stunden sind ${count} Ausführungen des Workflows „${workflow}“ im Projekt ${project} fehlgeschlagen. Am häufigsten:`,
      ...failureLines(groups, (step) => `„${step}“`),
      'Sobald die Ursache behoben ist, können sie wiederholt werden: Jede läuft bei dem Schritt weiter, an dem sie fehlgeschlagen ist. Sie erhalten diese E-Mail höchstens einmal am Tag.',
    ],
    button: 'Fehlgeschlagene Ausführungen öffnen',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `„${workflow}“ wurde deaktiviert`,
    paragraphs: [
      `Der Workflow „${workflow}“ im Projekt ${project} wurde deaktiviert, weil zu viele Ausführungen fehlgeschlagen sind: ${failed} von ${visits} beim Schritt „${step}“.`,
      'Niemand tritt jetzt mehr ein; wer darin ist, läuft weiter. Korrigieren Sie den Schritt, wiederholen Sie, was fehlgeschlagen ist, und aktivieren Sie den Workflow wieder.',
    ],
    button: 'Fehlgeschlagene Ausführungen öffnen',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `„${campaign}“ wurde angehalten`,
    paragraphs: [
      `Die Kampagne „${campaign}“ im Projekt ${project} wurde nach ${sent} von ${total} E-Mails angehalten.`,
      guardReasons[reason],
      'Es wird nichts mehr davon gesendet, bis Sie sie fortsetzen. Sehen Sie sich zuerst die Empfänger an; der Rest kann auch abgebrochen werden.',
    ],
    button: 'Kampagne öffnen',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `„${campaign}“ wartet auf Ihre Entscheidung`,
    paragraphs: [
      `Der Test der Kampagne „${campaign}“ im Projekt ${project} ist zu Ende.`,
      ...(isMismatch
        ? [
            'Die Varianten sind zu ungleich angekommen, als dass es Zufall sein könnte; vielleicht wurde etwas anderes als ihr Inhalt verglichen.',
          ]
        : []),
      'Die Empfänger außerhalb des Tests erhalten nichts, bis Sie eine Variante wählen. Sie können auch abgebrochen werden.',
    ],
    button: 'Kampagne öffnen',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Ein Programm bittet in ${project} um Zustimmung`,
    paragraphs: [
      `Ein Programm mit einem Schlüssel von ${project} bittet um Ihre Zustimmung zu etwas, das E-Mails versenden oder viel ändern würde. Bevor Sie entscheiden, geschieht nichts.`,
    ],
    button: 'Zustimmungen öffnen',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Bitte stimmen Sie einer Kampagne von ${project} zu`,
    paragraphs: [
      `Die Kampagne „${campaign}“ von ${project} wartet auf die Zustimmung eines Inhabers oder Administrators, der sie weder angefragt noch zuletzt geändert hat. Vorher wird sie nicht versendet.`,
    ],
    button: 'Zustimmungen öffnen',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject: percent === 100 ? 'Ihr Speicherlimit ist erreicht' : '80 % Ihres Speicherlimits sind erreicht',
    paragraphs: [
      `Ihre Projekte speichern ${megabytes(used)} von ${megabytes(limit)}, die Ihnen zur Verfügung stehen.`,
      percent === 100
        ? 'Neue Bilder, Anhänge, Vorlagen, Kampagnen, Importe, Exporte und E-Mails mit neuem Inhalt werden abgelehnt, bis wieder Platz ist. Bereits angenommene E-Mails werden zugestellt.'
        : 'Über dem Limit werden neue Bilder, Anhänge, Vorlagen, Kampagnen, Importe, Exporte und E-Mails mit neuem Inhalt abgelehnt.',
      'Löschen Sie Bilder, Vorlagen oder Exporte, die Sie nicht mehr benötigen.',
    ],
    button: 'Einstellungen öffnen',
  }),
};
