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
  },
  state: {
    subscribed: 'Subskrypcja jest aktywna.',
    unsubscribed: 'Subskrypcja jest wyłączona.',
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
