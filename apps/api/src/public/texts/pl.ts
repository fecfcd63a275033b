import type { PageTexts } from './texts.ts';

export const pl: PageTexts = {
  unsubscribe: {
    title: 'Zrezygnować z subskrypcji {project}?',
    lead: 'Nie będziemy już wysyłać nowości ani ofert na adres {email}.',
    button: 'Zrezygnuj z subskrypcji',
  },
  subscribe: {
    title: 'Zasubskrybować {project}?',
    lead: 'Nowości i oferty będą przychodzić na adres {email}.',
    button: 'Subskrybuj',
  },
  snooze: {
    title: 'Zrób przerwę',
    lead: 'Przez jakiś czas nie będziemy pisać. Potem wiadomości zaczną przychodzić same.',
    '2w': '2 tygodnie',
    '1m': '1 miesiąc',
    '6m': '6 miesięcy',
    '1y': '1 rok',
  },
  manage: {
    title: 'Ustawienia e-mail',
    lead: 'Wybierz, co {project} wysyła na adres {email}.',
    link: 'Zobacz wszystkie możliwości',
    topics: 'Co chcesz otrzymywać?',
    save: 'Zapisz',
    saved: 'Twój wybór został zapisany.',
    all: 'Zrezygnuj ze wszystkiego',
  },
  state: {
    subscribed: 'Subskrypcja jest aktywna.',
    unsubscribed: 'Subskrypcja jest wyłączona.',
    notSubscribed: 'Nie masz subskrypcji.',
    snoozed: 'Wiadomości są wstrzymane do {date}.',
  },
  done: {
    subscribed: 'Wiadomości od {project} znów będą przychodzić na adres {email}.',
    unsubscribed:
      'Nie będziemy już wysyłać nowości ani ofert na adres {email}. Nadal mogą przychodzić wiadomości o zamówieniach lub koncie.',
    changedMind: 'To jednak pomyłka?',
  },
  test: 'Ten link pochodzi z wiadomości testowej. Niczego nie zmienia.',
  notMe: {
    title: 'To nie jest Twoje konto?',
    lead: 'Ktoś założył konto w {host}, podając adres {email}. Jeśli to nie Ty, odłączymy ten adres od konta, wyłączymy jego projekty i nie wyślemy Ci nic więcej.',
    button: 'To nie ja',
    done: '{email} nie należy już do tego konta. Jego projekty są wyłączone.',
  },
  topic: {
    title: 'Zrezygnować z „{topic}”?',
    lead: '{project} przestanie wysyłać „{topic}” na adres {email}. Wszystko inne pozostanie bez zmian.',
    button: 'Zrezygnuj z „{topic}”',
    done: 'Nie będziesz już otrzymywać „{topic}”.',
    doneText:
      '{project} nie będzie już wysyłać „{topic}” na adres {email}. Wszystko inne pozostaje bez zmian.',
  },
  erased: {
    title: 'Twojego adresu już tu nie ma',
    text: '{project} usunął to, co o Tobie wiedział. Gdyby Twój adres kiedyś wrócił na listę, ten wybór sprawi, że nie dostaniesz newsletterów ani ofert.',
    button: 'Nigdy więcej do mnie nie pisz',
    done: 'Nie będziemy już do Ciebie pisać.',
    doneText: 'Adres, na który wysłano ten link, nie dostanie już newsletterów ani ofert od {project}.',
  },
  lost: {
    title: 'Który adres nie ma już otrzymywać e-maili?',
    lead: 'Ta usługa utraciła część danych i ten link nie wskazuje już, na jaki adres został wysłany. Wpisz adres. Żaden nadawca korzystający z tej usługi nie wyśle na niego więcej newsletterów ani ofert.',
    done: 'Żaden nadawca korzystający z tej usługi nie wyśle więcej newsletterów ani ofert na adres {email}.',
  },
  confirm: {
    title: 'Potwierdź subskrypcję',
    lead: 'Ktoś, prawdopodobnie Ty, poprosił {project} o wysyłanie wiadomości na adres {email}.',
    topics: 'Będziesz otrzymywać:',
    wording: 'Zgadzasz się na to:',
    button: 'Potwierdź',
    decline: 'To nie była moja prośba',
    done: 'Subskrypcja jest potwierdzona.',
    doneText: '{project} będzie pisać na adres {email}. W każdej wiadomości jest link do rezygnacji.',
    already: 'Ta subskrypcja jest już potwierdzona.',
    declined: 'Dziękujemy za informację.',
    declinedText:
      'Adres {email} nie zostanie zapisany na podstawie tej prośby, a {project} nie zapyta ponownie.',
    expired: 'Ten link wygasł',
    expiredText:
      'Był ważny przez 7 dni. Jeśli nadal chcesz otrzymywać wiadomości od {project}, zapisz się ponownie.',
    again: 'Zapisz się ponownie',
  },
  form: {
    email: 'Adres e-mail',
    optional: 'opcjonalnie',
    received: 'Sprawdź skrzynkę odbiorczą',
    receivedText:
      'Wiadomość na adres {email} jest w drodze. Nic się nie stanie, dopóki nie otworzysz zawartego w niej linku. Jeśli nie dotrze, zajrzyj do folderu ze spamem.',
    problem: 'Sprawdź zaznaczone pola.',
    badEmail: 'Wpisz adres e-mail, na przykład nazwa@example.com.',
    badDomain: 'Pod tym adresem nie ma skrzynki. Sprawdź część po znaku @.',
    required: 'To pole jest wymagane.',
    badValue: 'Tej wartości nie można użyć.',
    noTopic: 'Wybierz co najmniej jedno.',
    closed: 'Ten formularz jest zamknięty',
    closedText: 'Nie przyjmuje już zapisów.',
    limited: 'Zbyt wiele prób',
    limitedText: 'Spróbuj ponownie później.',
    refused: 'Tego formularza nie można użyć na tej stronie',
    refusedText: 'Jego właściciel na to tutaj nie zezwolił.',
    check: 'Jeszcze jeden krok',
    checkText:
      'Odczekaj pięć sekund, a potem naciśnij przycisk. W ten sposób powstrzymujemy automatyczne zapisy.',
    checkEarly: 'To było za wcześnie. Odczekaj pięć sekund, a potem naciśnij przycisk.',
    continue: 'Dalej',
    privacy: 'Prywatność',
  },
  notFound: {
    title: 'Ten link nie działa',
    text: 'Może być niepełny lub już nieważny. Użyj linku z ostatniej otrzymanej wiadomości.',
  },
  blocked: {
    title: 'Ten link został wyłączony',
    text: 'Wiadomości, które go zawierały, zgłoszono jako próbę oszustwa. Nie podawaj haseł ani danych płatniczych na stronach, do których prowadziły.',
  },
  badChoice: {
    title: 'Nie rozumiemy tego wyboru',
    text: 'Nic nie zostało zmienione. Wybierz jeszcze raz.',
  },
  failure: {
    title: 'Coś poszło nie tak',
    text: 'To błąd po naszej stronie. Spróbuj ponownie za chwilę.',
  },
};
