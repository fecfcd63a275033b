import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('it');

const disabledReasons = {
  PAYMENT_FAILED: 'Un pagamento non è riuscito. Paga la fattura in sospeso e il progetto verrà riattivato.',
  EMAIL_REPUTATION:
    'Troppe email non sono state recapitate o sono state segnalate come spam. Rimuovi gli indirizzi obsoleti e assicurati che ogni destinatario abbia accettato di ricevere le tue email.',
  PHISHING_DETECTED: 'Le sue email sono state segnalate come phishing.',
  MANUAL: 'È stato disattivato da un amministratore di questa installazione.',
};

const endpointReasons = {
  GONE: 'Ha risposto con lo stato 410 (Gone), quindi non accetta più eventi.',
  FAILING: 'Da 5 giorni nessuna richiesta inviata all’endpoint è andata a buon fine.',
};

const guardReasons = {
  guard_bounces: 'Troppe sono tornate indietro: la lista contiene indirizzi che non esistono.',
  guard_complaints: 'Troppe sono state segnalate come spam.',
  guard_unsubscribes: 'Troppi destinatari si sono disiscritti.',
  forgotten: 'È successo 7 giorni fa e da allora non è stata ripresa.',
};

export const it: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Un controllo della tua installazione non è riuscito: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Apri Postrider',
    note: 'Ricevi questa email al massimo una volta al giorno per ogni controllo.',
  }),
  copyLink: 'Oppure copia questo indirizzo nel browser:',
  verification: () => ({
    subject: 'Verifica il tuo indirizzo email',
    paragraphs: [
      'Conferma che questo è il tuo indirizzo email per completare la configurazione del tuo account Postrider.',
    ],
    button: 'Verifica l’indirizzo email',
    note: 'Il link è valido per 24 ore. Se non ti sei registrato, puoi ignorare questa email.',
  }),
  passwordReset: () => ({
    subject: 'Reimposta la tua password',
    paragraphs: ['È stata richiesta una nuova password per il tuo account Postrider.'],
    button: 'Imposta una nuova password',
    note: 'Il link è valido per un’ora. Se non l’hai richiesta, ignora questa email; la tua password non cambierà.',
  }),
  accountDeletion: () => ({
    subject: 'Elimina il tuo account Postrider',
    paragraphs: [
      'Nel tuo account Postrider è stato chiesto di eliminarlo.',
      'Apri il link nel browser in cui hai effettuato l’accesso e conferma lì. Un account eliminato non può essere ripristinato.',
    ],
    button: 'Elimina l’account',
    note: 'Il link è valido per un’ora. Se non l’hai richiesto, ignora questa email e termina le sessioni che non riconosci; il tuo account non cambierà.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'a un progetto' : `al progetto «${project}»`;
    return {
      subject: `Invito ${named}`,
      paragraphs: [`${inviter} ti invita a partecipare ${named} su Postrider.`],
      button: 'Accetta l’invito',
      note: 'L’invito è valido per 7 giorni e solo per questo indirizzo email.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} è disattivato`,
    paragraphs: [
      `Il progetto ${project} non invia più email. Le campagne programmate e i workflow in corso sono terminati.`,
      disabledReasons[reason],
    ],
    button: 'Apri il progetto',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} è di nuovo attivo`,
    paragraphs: [
      `Il progetto ${project} può di nuovo inviare email. Le campagne e i workflow terminati non riprendono.`,
    ],
    button: 'Apri il progetto',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} è verificato`,
    paragraphs: [
      `I record DNS di ${domain} sono stati trovati. Ora puoi inviare email dagli indirizzi di questo dominio.`,
    ],
    button: 'Apri il dominio',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} non è più verificato`,
    paragraphs: [
      `Alcuni record DNS di ${domain} mancavano in tre controlli consecutivi. Le email da questo dominio vengono rifiutate finché i record non saranno ripristinati.`,
    ],
    button: 'Apri il dominio',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} è stato aggiunto a un altro progetto`,
    paragraphs: [
      `Un proprietario o un amministratore di questo progetto ha aggiunto ${domain} a un altro progetto, che potrà inviare dal dominio non appena verrà trovato il suo record DNS.`,
      'Se non te lo aspettavi, controlla i membri di questo progetto.',
    ],
    button: 'Apri il dominio',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Un endpoint webhook di ${project} è disattivato`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Per questo endpoint non vengono più accodati eventi. Le consegne in sospeso attendono finché non verrà riattivato.',
    ],
    button: 'Apri i webhook',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'La generazione di un’email del tuo progetto richiede troppo tempo',
    paragraphs: [
      `La generazione dell’email con oggetto «${subject}» ha richiesto più tempo o memoria di quanto consentito per una singola email.`,
      'Viene comunque inviata: le variabili vengono sostituite, ma i tag come cicli e condizioni e i valori con filtri vengono omessi. Semplifica il modello per inviarla per intero.',
      ...(isThird
        ? [
            'Tre email dei tuoi progetti hanno raggiunto questo limite in un’ora. Per un’ora, tag e filtri vengono omessi anche nelle nuove email, senza alcun tentativo.',
          ]
        : []),
    ],
    button: 'Apri le email',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Le iscrizioni a ${project} sono sospese`,
    paragraphs: [
      `Oggi è stato chiesto via email a così tante persone se vogliono iscriversi a ${project}, senza che lo confermassero, che per ora non se ne accettano altre.`,
      'Di solito la causa sono programmi che compilano i moduli con indirizzi altrui. Le iscrizioni riprendono man mano che le persone confermano, o dopo un giorno. Controlla su quali pagine si trovano i tuoi moduli.',
    ],
    button: 'Apri i moduli',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Le segnalazioni su ${project} non sono provate`,
    paragraphs: [
      `Mancati recapiti o reclami per spam sulle email di ${project} lo avrebbero disattivato, ma le segnalazioni non sono provate: chiunque abbia una di queste email potrebbe averle scritte.`,
      'Gli indirizzi indicati non ricevono più email. Il progetto continua a inviare. Verifica che i destinatari abbiano accettato di ricevere le tue email.',
    ],
    button: 'Apri la reputazione',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `Le email di ${project} vengono rifiutate dai server di destinazione`,
    paragraphs: [
      {
        blocked: `Negli ultimi 7 giorni ${count} email di ${project} sono state bloccate per la reputazione del server o del dominio di invio. Scrivi solo a chi ha acconsentito e rimuovi gli indirizzi che non reagiscono mai; se il server è in una lista di blocco, chiedi al suo gestore di farlo rimuovere.`,
        authentication: `Negli ultimi 7 giorni ${count} email di ${project} sono state rifiutate perché il mittente non è stato autenticato. Controlla i record SPF, DKIM e DMARC del tuo dominio nella sua pagina.`,
        content: `Negli ultimi 7 giorni ${count} email di ${project} sono state rifiutate per il loro contenuto. Controlla i link, gli allegati e il testo dei tuoi invii.`,
      }[refusal],
      'Gli indirizzi interessati restano e il progetto continua a inviare.',
    ],
    button: refusal === 'authentication' ? 'Apri i domini' : 'Apri la reputazione',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Esecuzioni di «${workflow}» non riuscite`,
    paragraphs: [
      `Nelle ultime 24 ore ${count} esecuzioni del workflow «${workflow}» del progetto ${project} non sono riuscite. Più spesso:`,
      ...failureLines(groups, (step) => `«${step}»`),
      'Una volta corretta la causa, possono essere ripetute: ciascuna riprende dal passaggio in cui si è interrotta. Ricevi questa email al massimo una volta al giorno.',
    ],
    button: 'Apri le esecuzioni non riuscite',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `«${workflow}» è stato disattivato`,
    paragraphs: [
      `Il workflow «${workflow}» del progetto ${project} è stato disattivato perché troppe esecuzioni non sono riuscite: ${failed} su ${visits} al passaggio «${step}».`,
      'Ora non entra più nessuno; chi è al suo interno prosegue. Correggi il passaggio, ripeti ciò che non è riuscito e riattiva il workflow.',
    ],
    button: 'Apri le esecuzioni non riuscite',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `«${campaign}» è stata messa in pausa`,
    paragraphs: [
      `La campagna «${campaign}» del progetto ${project} è stata messa in pausa dopo ${sent} email su ${total}.`,
      guardReasons[reason],
      'Non viene inviato altro finché non la riprendi. Controlla prima i destinatari; il resto si può anche non inviare.',
    ],
    button: 'Apri la campagna',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `“${campaign}” attende la sua decisione`,
    paragraphs: [
      `Il test della campagna “${campaign}” del progetto ${project} è terminato.`,
      ...(isMismatch
        ? [
            'Le varianti sono arrivate in parti troppo diseguali per essere un caso; forse è stato confrontato qualcosa di diverso dal contenuto.',
          ]
        : []),
      'I destinatari fuori dal test non ricevono nulla finché non sceglie una variante. Si possono anche annullare.',
    ],
    button: 'Apri la campagna',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Un programma chiede un’approvazione in ${project}`,
    paragraphs: [
      `Un programma che usa una chiave di ${project} le chiede di accettare un’azione che invierebbe e-mail o cambierebbe molti dati. Non viene fatto nulla prima della sua decisione.`,
    ],
    button: 'Apri le approvazioni',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Una campagna di ${project} attende la sua approvazione`,
    paragraphs: [
      `La campagna «${campaign}» di ${project} attende l’approvazione di un proprietario o amministratore che non l’abbia richiesta né modificata per ultimo. Prima non viene inviata.`,
    ],
    button: 'Apri le approvazioni',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject:
      percent === 100
        ? 'Hai raggiunto il tuo limite di spazio'
        : 'Hai raggiunto l’80% del tuo limite di spazio',
    paragraphs: [
      `I tuoi progetti occupano ${megabytes(used)} dei ${megabytes(limit)} a tua disposizione.`,
      percent === 100
        ? 'Nuove immagini, allegati, modelli, campagne, importazioni, esportazioni ed email con contenuti nuovi vengono rifiutati finché non c’è di nuovo spazio. Le email già accettate vengono consegnate.'
        : 'Oltre il limite, nuove immagini, allegati, modelli, campagne, importazioni, esportazioni ed email con contenuti nuovi vengono rifiutati.',
      'Elimina le immagini, i modelli o le esportazioni che non servono più.',
    ],
    button: 'Apri le impostazioni',
  }),
};
