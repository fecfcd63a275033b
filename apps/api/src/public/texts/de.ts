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
  },
  state: {
    subscribed: 'Sie sind angemeldet.',
    unsubscribed: 'Sie sind abgemeldet.',
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
