import type { PageTexts } from './texts.ts';

export const de: PageTexts = {
  unsubscribe: {
    title: 'Von {project} abmelden?',
    lead: 'Wir senden dann keine Newsletter und Angebote mehr an {email}.',
    button: 'Abmelden',
  },
  subscribe: {
    title: 'Bei {project} anmelden?',
    lead: 'Sie erhalten Neuigkeiten und Angebote an {email}.',
    button: 'Anmelden',
  },
  snooze: {
    title: 'Eine Pause machen',
    lead: 'Sie hören eine Zeit lang nichts von uns. Danach kommen die E-Mails von selbst wieder.',
    '2w': '2 Wochen',
    '1m': '1 Monat',
    '6m': '6 Monate',
    '1y': '1 Jahr',
  },
  manage: {
    title: 'E-Mail-Einstellungen',
    lead: 'Wählen Sie, was {project} an {email} sendet.',
    link: 'Alle Möglichkeiten ansehen',
    topics: 'Was möchten Sie erhalten?',
    save: 'Speichern',
    saved: 'Ihre Auswahl ist gespeichert.',
    all: 'Von allem abmelden',
  },
  state: {
    subscribed: 'Sie sind angemeldet.',
    unsubscribed: 'Sie sind abgemeldet.',
    notSubscribed: 'Sie sind nicht angemeldet.',
    snoozed: 'Die E-Mails pausieren bis zum {date}.',
  },
  done: {
    subscribed: 'Sie erhalten wieder E-Mails von {project} an {email}.',
    unsubscribed:
      'Wir senden keine Newsletter und Angebote mehr an {email}. Nachrichten zu Ihren Bestellungen oder Ihrem Konto können weiterhin kommen.',
    changedMind: 'Haben Sie es sich anders überlegt?',
  },
  test: 'Dieser Link stammt aus einer Test-E-Mail. Er ändert nichts.',
  notMe: {
    title: 'Gehört dieses Konto nicht Ihnen?',
    lead: 'Jemand hat sich bei {host} mit {email} registriert. Falls Sie es nicht waren, nehmen wir diesem Konto die Adresse, deaktivieren seine Projekte und senden Ihnen nichts mehr.',
    button: 'Ich war es nicht',
    done: '{email} gehört nicht mehr zu diesem Konto. Seine Projekte sind deaktiviert.',
  },
  topic: {
    title: '„{topic}“ abbestellen?',
    lead: '{project} sendet „{topic}“ dann nicht mehr an {email}. Alles andere bleibt, wie es ist.',
    button: '„{topic}“ abbestellen',
    done: 'Sie erhalten „{topic}“ nicht mehr.',
    doneText: '{project} sendet „{topic}“ nicht mehr an {email}. Alles andere bleibt, wie es ist.',
  },
  erased: {
    title: 'Ihre Adresse ist hier nicht mehr gespeichert',
    text: '{project} hat gelöscht, was über Sie bekannt war. Falls Ihre Adresse je wieder in eine Liste gelangt, sorgt dies dafür, dass Sie keine Newsletter und Angebote erhalten.',
    button: 'Nie wieder an mich schreiben',
    done: 'Wir schreiben Ihnen nicht mehr.',
    doneText:
      'Die Adresse, an die dieser Link ging, erhält keine Newsletter und Angebote von {project} mehr.',
  },
  lost: {
    title: 'Welche Adresse soll keine E-Mails mehr bekommen?',
    lead: 'Bei diesem Dienst sind Daten verloren gegangen, und dieser Link sagt nicht mehr, an welche Adresse er ging. Geben Sie die Adresse ein. Kein Absender, der diesen Dienst nutzt, schickt ihr dann noch Newsletter oder Angebote.',
    done: 'Kein Absender, der diesen Dienst nutzt, schickt noch Newsletter oder Angebote an {email}.',
  },
  confirm: {
    title: 'Bitte bestätigen Sie Ihre Anmeldung',
    lead: 'Jemand, vermutlich Sie, hat {project} gebeten, E-Mails an {email} zu senden.',
    topics: 'Sie erhalten:',
    wording: 'Sie stimmen dem zu:',
    button: 'Bestätigen',
    decline: 'Das war ich nicht',
    done: 'Ihre Anmeldung ist bestätigt.',
    doneText: '{project} schreibt an {email}. In jeder E-Mail ist ein Link zum Abmelden.',
    already: 'Sie haben diese Anmeldung schon bestätigt.',
    declined: 'Danke für den Hinweis.',
    declinedText: '{email} wird durch diese Anfrage nicht angemeldet, und {project} fragt Sie nicht wieder.',
    expired: 'Dieser Link ist abgelaufen',
    expiredText:
      'Er galt 7 Tage. Wenn Sie weiterhin von {project} hören möchten, melden Sie sich bitte noch einmal an.',
    again: 'Noch einmal anmelden',
  },
  form: {
    email: 'E-Mail-Adresse',
    optional: 'freiwillig',
    received: 'Sehen Sie in Ihr Postfach',
    receivedText:
      'Eine E-Mail an {email} ist unterwegs. Erst wenn Sie den Link darin öffnen, geschieht etwas. Kommt sie nicht an, sehen Sie bitte im Spam-Ordner nach.',
    problem: 'Bitte prüfen Sie die markierten Felder.',
    badEmail: 'Geben Sie eine E-Mail-Adresse wie name@example.com ein.',
    badDomain: 'Unter dieser Adresse gibt es kein Postfach. Bitte prüfen Sie den Teil nach dem @.',
    required: 'Diese Angabe wird gebraucht.',
    badValue: 'Diese Angabe kann nicht verwendet werden.',
    noTopic: 'Wählen Sie mindestens eines.',
    closed: 'Dieses Formular ist geschlossen',
    closedText: 'Es nimmt keine Anmeldungen mehr an.',
    limited: 'Zu viele Versuche',
    limitedText: 'Bitte versuchen Sie es später noch einmal.',
    refused: 'Dieses Formular kann auf dieser Seite nicht verwendet werden',
    refusedText: 'Sein Betreiber hat es hier nicht erlaubt.',
    check: 'Noch ein Schritt',
    checkText:
      'Bitte warten Sie fünf Sekunden und drücken Sie dann auf die Schaltfläche. Das hält automatische Anmeldungen fern.',
    checkEarly: 'Das war zu früh. Bitte warten Sie fünf Sekunden und drücken Sie dann auf die Schaltfläche.',
    continue: 'Weiter',
    privacy: 'Datenschutz',
  },
  notFound: {
    title: 'Dieser Link funktioniert nicht',
    text: 'Vielleicht ist er unvollständig oder nicht mehr gültig. Bitte verwenden Sie den Link in der letzten E-Mail, die Sie erhalten haben.',
  },
  blocked: {
    title: 'Dieser Link wurde deaktiviert',
    text: 'Die E-Mails mit diesem Link wurden als Betrugsversuch gemeldet. Geben Sie auf Seiten, zu denen diese E-Mails führten, keine Passwörter oder Zahlungsdaten ein.',
  },
  badChoice: {
    title: 'Diese Auswahl haben wir nicht verstanden',
    text: 'Es wurde nichts geändert. Bitte wählen Sie noch einmal.',
  },
  failure: {
    title: 'Etwas ist schiefgegangen',
    text: 'Der Fehler liegt bei uns. Bitte versuchen Sie es gleich noch einmal.',
  },
};
