import type { PageTexts } from './texts.ts';

export const it: PageTexts = {
  unsubscribe: {
    title: 'Annullare l’iscrizione a {project}?',
    lead: 'Non invieremo più newsletter e offerte a {email}.',
    button: 'Annulla l’iscrizione',
  },
  subscribe: {
    title: 'Iscriverti a {project}?',
    lead: 'Riceverai novità e offerte all’indirizzo {email}.',
    button: 'Iscriviti',
  },
  snooze: {
    title: 'Fai una pausa',
    lead: 'Per un po’ non riceverai nulla. Poi le email riprenderanno da sole.',
    '2w': '2 settimane',
    '1m': '1 mese',
    '6m': '6 mesi',
    '1y': '1 anno',
  },
  manage: {
    title: 'Preferenze email',
    lead: 'Scegli che cosa {project} invia a {email}.',
    link: 'Vedi tutte le scelte',
  },
  state: {
    subscribed: 'La tua iscrizione è attiva.',
    unsubscribed: 'La tua iscrizione è annullata.',
    snoozed: 'Le email sono in pausa fino al {date}.',
  },
  done: {
    subscribed: 'Riceverai di nuovo le email di {project} all’indirizzo {email}.',
    unsubscribed:
      'Non invieremo più newsletter e offerte a {email}. Potrai ancora ricevere messaggi sui tuoi ordini o sul tuo account.',
    changedMind: 'Hai cambiato idea?',
  },
  test: 'Questo link proviene da un’email di prova. Non cambia nulla.',
  notMe: {
    title: 'Questo account non è suo?',
    lead: 'Qualcuno si è registrato su {host} con {email}. Se non è stato lei, togliamo l’indirizzo da quell’account, disattiviamo i suoi progetti e non le inviamo più nulla.',
    button: 'Non sono stato io',
    done: '{email} non appartiene più a quell’account. I suoi progetti sono disattivati.',
  },
  notFound: {
    title: 'Questo link non funziona',
    text: 'Forse è incompleto o non è più valido. Usa il link dell’ultima email che hai ricevuto.',
  },
  blocked: {
    title: 'Questo link è stato disattivato',
    text: 'Le email che lo contenevano sono state segnalate come tentativo di frode. Non inserire password o dati di pagamento nelle pagine a cui portavano.',
  },
  badChoice: {
    title: 'Non abbiamo capito questa scelta',
    text: 'Non è stato cambiato nulla. Scegli di nuovo.',
  },
  failure: {
    title: 'Qualcosa è andato storto',
    text: 'L’errore è nostro. Riprova tra un momento.',
  },
};
