import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('pl');

const disabledReasons = {
  PAYMENT_FAILED:
    'Płatność nie powiodła się. Po opłaceniu zaległej faktury projekt zostanie ponownie włączony.',
  EMAIL_REPUTATION:
    'Zbyt wiele wiadomości nie zostało doręczonych lub oznaczono je jako spam. Usuń nieaktualne adresy i upewnij się, że każdy odbiorca zgodził się na otrzymywanie wiadomości.',
  PHISHING_DETECTED: 'Wiadomości z tego projektu zgłoszono jako phishing.',
  MANUAL: 'Projekt został wyłączony przez administratora tej instalacji.',
};

const endpointReasons = {
  GONE: 'Odpowiedział kodem 410 (Gone), co oznacza, że nie przyjmuje już zdarzeń.',
  FAILING: 'Od 5 dni żadne żądanie do niego nie zakończyło się powodzeniem.',
};

const guardReasons = {
  guard_bounces: 'Zbyt wiele z nich wróciło: lista zawiera adresy, które nie istnieją.',
  guard_complaints: 'Zbyt wiele z nich oznaczono jako spam.',
  guard_unsubscribes: 'Zbyt wielu odbiorców zrezygnowało z subskrypcji.',
  forgotten: 'Było to 7 dni temu i od tego czasu kampania nie została wznowiona.',
};

export const pl: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Sprawdzenie Twojej instalacji nie powiodło się: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Otwórz Postrider',
    note: 'Tę wiadomość otrzymujesz najwyżej raz dziennie dla każdego sprawdzenia.',
  }),
  copyLink: 'Możesz też skopiować ten adres do przeglądarki:',
  verification: () => ({
    subject: 'Potwierdź swój adres e-mail',
    paragraphs: ['Potwierdź, że to Twój adres e-mail, aby dokończyć konfigurację konta Postrider.'],
    button: 'Potwierdź adres e-mail',
    note: 'Link jest ważny przez 24 godziny. Jeśli to nie Ty zakładasz konto, zignoruj tę wiadomość.',
  }),
  passwordReset: () => ({
    subject: 'Zresetuj hasło',
    paragraphs: ['Otrzymaliśmy prośbę o nowe hasło do Twojego konta Postrider.'],
    button: 'Ustaw nowe hasło',
    note: 'Link jest ważny przez godzinę. Jeśli to nie Twoja prośba, zignoruj tę wiadomość; hasło pozostanie bez zmian.',
  }),
  accountDeletion: () => ({
    subject: 'Usuń swoje konto Postrider',
    paragraphs: [
      'Na Twoim koncie Postrider złożono prośbę o jego usunięcie.',
      'Otwórz link w przeglądarce, w której się zalogowano, i tam potwierdź. Usuniętego konta nie można przywrócić.',
    ],
    button: 'Usuń konto',
    note: 'Link jest ważny przez godzinę. Jeśli to nie Twoja prośba, zignoruj tę wiadomość i zakończ sesje, których nie rozpoznajesz; konto pozostanie bez zmian.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'projektu' : `projektu „${project}”`;
    return {
      subject: `Zaproszenie do ${named}`,
      paragraphs: [`${inviter} zaprasza Cię do ${named} w Postrider.`],
      button: 'Przyjmij zaproszenie',
      note: 'Zaproszenie jest ważne przez 7 dni i tylko dla tego adresu e-mail.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `Projekt ${project} został wyłączony`,
    paragraphs: [
      `Projekt ${project} nie wysyła już wiadomości. Zaplanowane kampanie i działające przepływy pracy zostały zakończone.`,
      disabledReasons[reason],
    ],
    button: 'Otwórz projekt',
  }),
  projectEnabled: ({ project }) => ({
    subject: `Projekt ${project} został ponownie włączony`,
    paragraphs: [
      `Projekt ${project} może znowu wysyłać wiadomości. Zakończone kampanie i przepływy pracy nie zostaną wznowione.`,
    ],
    button: 'Otwórz projekt',
  }),
  domainVerified: ({ domain }) => ({
    subject: `Domena ${domain} została zweryfikowana`,
    paragraphs: [
      `Znaleziono rekordy DNS domeny ${domain}. Możesz teraz wysyłać wiadomości z adresów w tej domenie.`,
    ],
    button: 'Otwórz domenę',
  }),
  domainLost: ({ domain }) => ({
    subject: `Domena ${domain} nie jest już zweryfikowana`,
    paragraphs: [
      `W trzech kolejnych sprawdzeniach brakowało rekordów DNS domeny ${domain}. Wiadomości z tej domeny są odrzucane do czasu przywrócenia rekordów.`,
    ],
    button: 'Otwórz domenę',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `Domenę ${domain} dodano do innego projektu`,
    paragraphs: [
      `Właściciel lub administrator tego projektu dodał domenę ${domain} do innego projektu. Będzie on mógł wysyłać z tej domeny po znalezieniu własnego rekordu DNS.`,
      'Jeśli to dla Ciebie niespodzianka, sprawdź listę członków tego projektu.',
    ],
    button: 'Otwórz domenę',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Wyłączono punkt końcowy webhooka w projekcie ${project}`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Zdarzenia nie są już dla niego kolejkowane. Oczekujące dostarczenia poczekają na ponowne włączenie punktu końcowego.',
    ],
    button: 'Otwórz webhooki',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'Generowanie wiadomości w Twoim projekcie trwa zbyt długo',
    paragraphs: [
      `Wygenerowanie wiadomości o temacie „${subject}” wymagało więcej czasu lub pamięci, niż wolno zużyć na jedną wiadomość.`,
      'Wiadomość i tak zostanie wysłana: zmienne są uzupełniane, ale znaczniki, takie jak pętle i warunki, oraz wartości z filtrami są pomijane. Uprość szablon, aby wysyłać ją w całości.',
      ...(isThird
        ? [
            'Trzy wiadomości z Twoich projektów osiągnęły ten limit w ciągu godziny. Przez godzinę znaczniki i filtry są pomijane także w nowych wiadomościach, bez próby ich wygenerowania.',
          ]
        : []),
    ],
    button: 'Otwórz wiadomości',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `Zapisy do ${project} są wstrzymane`,
    paragraphs: [
      `Dziś tak wiele osób zapytano e-mailem, czy chcą subskrybować ${project}, a one tego nie potwierdziły, że na razie nie są przyjmowane kolejne zapisy.`,
      'Zwykle przyczyną są programy, które wypełniają formularze cudzymi adresami. Zapisy będą znów przyjmowane, gdy ludzie zaczną potwierdzać, lub po upływie dnia. Sprawdź, na jakich stronach są Twoje formularze.',
    ],
    button: 'Otwórz formularze',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `Zgłoszenia dotyczące ${project} nie są potwierdzone`,
    paragraphs: [
      `Zwroty lub skargi na spam dotyczące wiadomości projektu ${project} spowodowałyby jego wyłączenie, ale zgłoszenia nie są potwierdzone: mógł je napisać każdy, kto ma jedną z tych wiadomości.`,
      'Wskazane adresy nie otrzymują już wiadomości. Projekt nadal wysyła. Sprawdź, czy odbiorcy zgodzili się otrzymywać Twoje wiadomości.',
    ],
    button: 'Otwórz reputację',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `Serwery odbiorców odrzucają wiadomości projektu ${project}`,
    paragraphs: [
      {
        blocked: `W ciągu ostatnich 7 dni zablokowano wiadomości projektu ${project} (${count}) z powodu reputacji serwera lub domeny nadawcy. Pisz tylko do osób, które się zgodziły, i usuń adresy, które nigdy nie reagują; jeśli serwer jest na liście blokad, poproś jego operatora o usunięcie.`,
        authentication: `W ciągu ostatnich 7 dni odrzucono wiadomości projektu ${project} (${count}), ponieważ nie można było uwierzytelnić nadawcy. Sprawdź rekordy SPF, DKIM i DMARC domeny na jej stronie.`,
        content: `W ciągu ostatnich 7 dni odrzucono wiadomości projektu ${project} (${count}) z powodu ich treści. Sprawdź linki, załączniki i treść wysyłanych wiadomości.`,
      }[refusal],
      'Adresy, których to dotyczy, pozostają, a projekt nadal wysyła.',
    ],
    button: refusal === 'authentication' ? 'Otwórz domeny' : 'Otwórz reputację',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Wykonania „${workflow}” kończą się niepowodzeniem`,
    paragraphs: [
      `W ciągu ostatnich 24 godzin nie powiodły się wykonania przepływu „${workflow}” w projekcie ${project}. Ich liczba: ${count}. Najczęściej:`,
      ...failureLines(groups, (step) => `„${step}”`),
      'Po usunięciu przyczyny można je ponowić: każde jest kontynuowane od kroku, w którym się nie powiodło. Tę wiadomość otrzymują Państwo najwyżej raz dziennie.',
    ],
    button: 'Otwórz nieudane wykonania',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `Przepływ „${workflow}” został wyłączony`,
    paragraphs: [
      `Przepływ „${workflow}” w projekcie ${project} został wyłączony, ponieważ zbyt wiele wykonań się nie powiodło: ${failed} z ${visits} w kroku „${step}”.`,
      'Nikt już do niego nie wchodzi; osoby, które w nim są, kontynuują. Należy poprawić krok, ponowić to, co się nie powiodło, i ponownie włączyć przepływ.',
    ],
    button: 'Otwórz nieudane wykonania',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `Kampania „${campaign}” została wstrzymana`,
    paragraphs: [
      `Kampania „${campaign}” w projekcie ${project} została wstrzymana po ${sent} z ${total} wiadomości.`,
      guardReasons[reason],
      'Do czasu wznowienia nic więcej nie zostanie wysłane. Najpierw należy sprawdzić odbiorców; resztę można też anulować.',
    ],
    button: 'Otwórz kampanię',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `Kampania „${campaign}” czeka na decyzję`,
    paragraphs: [
      `Test kampanii „${campaign}” w projekcie ${project} dobiegł końca.`,
      ...(isMismatch
        ? [
            'Warianty dotarły w zbyt nierównych częściach, by był to przypadek; być może porównano coś innego niż ich treść.',
          ]
        : []),
      'Odbiorcy spoza testu nie otrzymają niczego, dopóki nie zostanie wybrany wariant. Wysyłkę do nich można też anulować.',
    ],
    button: 'Otwórz kampanię',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Program prosi o zgodę w projekcie ${project}`,
    paragraphs: [
      `Program używający klucza projektu ${project} prosi o zgodę na coś, co wysłałoby e-maile lub wiele zmieniło. Nic się nie stanie, zanim podejmiesz decyzję.`,
    ],
    button: 'Otwórz zgody',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Kampania projektu ${project} czeka na zgodę`,
    paragraphs: [
      `Kampania „${campaign}” projektu ${project} czeka na zgodę właściciela lub administratora, który o nią nie prosił ani nie zmienił jej jako ostatni. Wcześniej nie zostanie wysłana.`,
    ],
    button: 'Otwórz zgody',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject: percent === 100 ? 'Osiągnięto limit miejsca' : 'Wykorzystano 80% limitu miejsca',
    paragraphs: [
      `Twoje projekty zajmują ${megabytes(used)} z dostępnych ${megabytes(limit)}.`,
      percent === 100
        ? 'Nowe obrazy, załączniki, szablony, kampanie, importy, eksporty i wiadomości z nową treścią są odrzucane, dopóki nie zwolni się miejsce. Przyjęte wiadomości zostaną dostarczone.'
        : 'Po przekroczeniu limitu nowe obrazy, załączniki, szablony, kampanie, importy, eksporty i wiadomości z nową treścią są odrzucane.',
      'Usuń obrazy, szablony lub eksporty, których już nie potrzebujesz.',
    ],
    button: 'Otwórz ustawienia',
  }),
};
