import type { PageTexts } from './texts.ts';

export const nl: PageTexts = {
  unsubscribe: {
    title: 'Uitschrijven bij {project}?',
    lead: 'We sturen dan geen nieuwsbrieven en aanbiedingen meer naar {email}.',
    button: 'Uitschrijven',
  },
  subscribe: {
    title: 'Inschrijven bij {project}?',
    lead: 'Je ontvangt nieuws en aanbiedingen op {email}.',
    button: 'Inschrijven',
  },
  snooze: {
    title: 'Even pauze',
    lead: 'Je hoort een tijdje niets van ons. Daarna komen de e-mails vanzelf weer.',
    '2w': '2 weken',
    '1m': '1 maand',
    '6m': '6 maanden',
    '1y': '1 jaar',
  },
  manage: {
    title: 'E-mailvoorkeuren',
    lead: 'Kies wat {project} naar {email} stuurt.',
    link: 'Alle keuzes bekijken',
  },
  state: {
    subscribed: 'Je bent ingeschreven.',
    unsubscribed: 'Je bent uitgeschreven.',
    snoozed: 'De e-mails staan op pauze tot {date}.',
  },
  done: {
    subscribed: 'Je ontvangt weer e-mails van {project} op {email}.',
    unsubscribed:
      'We sturen geen nieuwsbrieven en aanbiedingen meer naar {email}. Berichten over je bestellingen of je account kunnen nog wel komen.',
    changedMind: 'Toch van gedachten veranderd?',
  },
  test: 'Deze link komt uit een testmail. Er verandert niets.',
  notMe: {
    title: 'Is dit account niet van u?',
    lead: 'Iemand heeft zich bij {host} aangemeld met {email}. Was u dat niet, dan halen we het adres van dat account af, schakelen we de projecten ervan uit en sturen we u niets meer.',
    button: 'Dit was ik niet',
    done: '{email} hoort niet meer bij dat account. De projecten ervan zijn uitgeschakeld.',
  },
  notFound: {
    title: 'Deze link werkt niet',
    text: 'Misschien is hij onvolledig of niet meer geldig. Gebruik de link in de laatste e-mail die je hebt ontvangen.',
  },
  blocked: {
    title: 'Deze link is uitgeschakeld',
    text: 'De e-mails met deze link zijn gemeld als poging tot oplichting. Vul geen wachtwoorden of betaalgegevens in op pagina’s waarnaar die e-mails verwezen.',
  },
  badChoice: {
    title: 'Die keuze begrepen we niet',
    text: 'Er is niets veranderd. Kies opnieuw.',
  },
  failure: {
    title: 'Er ging iets mis',
    text: 'De fout ligt bij ons. Probeer het zo meteen opnieuw.',
  },
};
