import type { PageTexts } from './texts.ts';

export const pt: PageTexts = {
  unsubscribe: {
    title: 'Cancelar a inscrição em {project}?',
    lead: 'Não enviaremos mais novidades e ofertas para {email}.',
    button: 'Cancelar inscrição',
  },
  subscribe: {
    title: 'Inscrever-se em {project}?',
    lead: 'Você receberá novidades e ofertas em {email}.',
    button: 'Inscrever-me',
  },
  snooze: {
    title: 'Fazer uma pausa',
    lead: 'Você não receberá nada por um tempo. Depois, os e-mails voltam sozinhos.',
    '2w': '2 semanas',
    '1m': '1 mês',
    '6m': '6 meses',
    '1y': '1 ano',
  },
  manage: {
    title: 'Preferências de e-mail',
    lead: 'Escolha o que {project} envia para {email}.',
    link: 'Ver todas as opções',
  },
  state: {
    subscribed: 'Sua inscrição está ativa.',
    unsubscribed: 'Sua inscrição foi cancelada.',
    snoozed: 'Os e-mails estão em pausa até {date}.',
  },
  done: {
    subscribed: 'Você voltará a receber os e-mails de {project} em {email}.',
    unsubscribed:
      'Não enviaremos mais novidades e ofertas para {email}. Mensagens sobre seus pedidos ou sua conta ainda podem chegar.',
    changedMind: 'Mudou de ideia?',
  },
  test: 'Este link é de um e-mail de teste. Ele não muda nada.',
  notMe: {
    title: 'Esta conta não é sua?',
    lead: 'Alguém se registou em {host} com {email}. Se não foi você, retiramos o endereço dessa conta, desativamos os respetivos projetos e não lhe enviamos mais nada.',
    button: 'Não fui eu',
    done: '{email} já não pertence a essa conta. Os respetivos projetos estão desativados.',
  },
  notFound: {
    title: 'Este link não funciona',
    text: 'Ele pode estar incompleto ou não ser mais válido. Use o link do último e-mail que você recebeu.',
  },
  blocked: {
    title: 'Este link foi desativado',
    text: 'Os e-mails que o continham foram denunciados como tentativa de fraude. Não informe senhas nem dados de pagamento nas páginas às quais eles levavam.',
  },
  badChoice: {
    title: 'Não entendemos essa escolha',
    text: 'Nada foi alterado. Escolha novamente.',
  },
  failure: {
    title: 'Algo deu errado',
    text: 'O erro é nosso. Tente novamente em instantes.',
  },
};
