import { failureLines, type MailTexts, megabytesIn } from './texts.ts';

const megabytes = megabytesIn('pt');

const disabledReasons = {
  PAYMENT_FAILED: 'Um pagamento falhou. Pague a fatura em aberto para que o projeto seja reativado.',
  EMAIL_REPUTATION:
    'Muitos dos e-mails foram devolvidos ou marcados como spam. Remova endereços desatualizados e garanta que todos os destinatários tenham concordado em receber seus e-mails.',
  PHISHING_DETECTED: 'Os e-mails do projeto foram denunciados como phishing.',
  MANUAL: 'Um administrador desta instalação o desativou.',
};

const endpointReasons = {
  GONE: 'Ele respondeu com o status 410 (Gone), o que significa que não aceita mais eventos.',
  FAILING: 'Nenhuma das solicitações enviadas a ele teve sucesso nos últimos 5 dias.',
};

const guardReasons = {
  guard_bounces: 'E-mails demais voltaram: a lista tem endereços que não existem.',
  guard_complaints: 'E-mails demais foram marcados como spam.',
  guard_unsubscribes: 'Destinatários demais cancelaram a inscrição.',
  forgotten: 'Isso foi há 7 dias, e ela não foi retomada desde então.',
};

export const pt: MailTexts = {
  findingFailed: ({ check, found, cause, action }) => ({
    subject: `Uma verificação da sua instalação falhou: ${check}`,
    paragraphs: [found, cause, action].filter((text) => text !== ''),
    button: 'Abrir o Postrider',
    note: 'Você recebe este e-mail no máximo uma vez por dia para cada verificação.',
  }),
  copyLink: 'Ou copie este endereço para o navegador:',
  verification: () => ({
    subject: 'Confirme seu endereço de e-mail',
    paragraphs: [
      'Confirme que este é o seu endereço de e-mail para concluir a configuração da sua conta do Postrider.',
    ],
    button: 'Confirmar endereço de e-mail',
    note: 'O link é válido por 24 horas. Se você não criou uma conta, pode ignorar este e-mail.',
  }),
  passwordReset: () => ({
    subject: 'Redefina sua senha',
    paragraphs: ['Foi solicitada uma nova senha para a sua conta do Postrider.'],
    button: 'Definir nova senha',
    note: 'O link é válido por uma hora. Se você não fez essa solicitação, ignore este e-mail; sua senha continuará a mesma.',
  }),
  accountDeletion: () => ({
    subject: 'Exclua sua conta do Postrider',
    paragraphs: [
      'Foi solicitada, na sua conta do Postrider, a exclusão dela.',
      'Abra o link no navegador em que você está conectado e confirme ali. Uma conta excluída não pode ser restaurada.',
    ],
    button: 'Excluir a conta',
    note: 'O link é válido por uma hora. Se você não fez essa solicitação, ignore este e-mail e encerre as sessões que não reconhece; sua conta continuará a mesma.',
  }),
  invitation: ({ project, inviter }) => {
    const named = project === null ? 'um projeto' : `o projeto “${project}”`;
    return {
      subject: `Convite para ${named}`,
      paragraphs: [`${inviter} convida você para ${named} no Postrider.`],
      button: 'Aceitar convite',
      note: 'O convite é válido por 7 dias e somente para este endereço de e-mail.',
    };
  },
  projectDisabled: ({ project, reason }) => ({
    subject: `${project} foi desativado`,
    paragraphs: [
      `O projeto ${project} não envia mais e-mails. As campanhas agendadas e os fluxos de trabalho em andamento foram encerrados.`,
      disabledReasons[reason],
    ],
    button: 'Abrir o projeto',
  }),
  projectEnabled: ({ project }) => ({
    subject: `${project} foi reativado`,
    paragraphs: [
      `O projeto ${project} pode enviar e-mails novamente. As campanhas e os fluxos de trabalho encerrados não são retomados.`,
    ],
    button: 'Abrir o projeto',
  }),
  domainVerified: ({ domain }) => ({
    subject: `${domain} foi verificado`,
    paragraphs: [
      `Os registros DNS de ${domain} foram encontrados. Agora você pode enviar e-mails a partir de endereços deste domínio.`,
    ],
    button: 'Abrir o domínio',
  }),
  domainLost: ({ domain }) => ({
    subject: `${domain} não está mais verificado`,
    paragraphs: [
      `Faltaram registros DNS de ${domain} em três verificações seguidas. Os e-mails deste domínio serão recusados até que os registros sejam restaurados.`,
    ],
    button: 'Abrir o domínio',
  }),
  domainAddedElsewhere: ({ domain }) => ({
    subject: `${domain} foi adicionado a outro projeto`,
    paragraphs: [
      `Um proprietário ou administrador deste projeto adicionou ${domain} a outro projeto, que poderá enviar a partir do domínio assim que o próprio registro DNS for encontrado.`,
      'Se você não esperava por isso, revise os membros deste projeto.',
    ],
    button: 'Abrir o domínio',
  }),
  endpointDisabled: ({ project, url, reason }) => ({
    subject: `Um endpoint de webhook de ${project} foi desativado`,
    paragraphs: [
      url,
      endpointReasons[reason],
      'Os eventos não são mais colocados na fila para ele. As entregas pendentes aguardam até que o endpoint seja reativado.',
    ],
    button: 'Abrir os webhooks',
  }),
  renderLimit: ({ subject, isThird }) => ({
    subject: 'Um e-mail do seu projeto demora demais para ser gerado',
    paragraphs: [
      `Gerar o e-mail com o assunto “${subject}” exigiu mais tempo ou memória do que o permitido para um e-mail.`,
      'Mesmo assim, ele é enviado: as variáveis são preenchidas, mas tags como laços e condições, e valores com filtros, são omitidos. Simplifique o modelo para enviá-lo por completo.',
      ...(isThird
        ? [
            'Três e-mails dos seus projetos atingiram este limite em uma hora. Durante uma hora, as tags e os filtros também são omitidos nos novos e-mails, sem nova tentativa.',
          ]
        : []),
    ],
    button: 'Abrir os e-mails',
  }),
  requestsUnconfirmed: ({ project }) => ({
    subject: `As inscrições em ${project} estão pausadas`,
    paragraphs: [
      `Hoje, tantas pessoas foram consultadas por e-mail sobre se querem assinar ${project}, sem confirmar, que por enquanto não são aceitas novas inscrições.`,
      'A causa comum são programas que preenchem os formulários com endereços de outras pessoas. As inscrições voltam a ser aceitas à medida que as pessoas confirmam, ou após um dia. Verifique em quais páginas estão seus formulários.',
    ],
    button: 'Abrir os formulários',
  }),
  reportsUnproven: ({ project }) => ({
    subject: `As denúncias sobre ${project} não estão comprovadas`,
    paragraphs: [
      `Devoluções ou denúncias de spam sobre os e-mails de ${project} o teriam desativado, mas não estão comprovadas: qualquer pessoa que tenha um desses e-mails poderia tê-las escrito.`,
      'Os endereços indicados não recebem mais e-mails. O projeto continua enviando. Verifique se os destinatários concordaram em receber seus e-mails.',
    ],
    button: 'Abrir a reputação',
  }),
  emailRefused: ({ project, refusal, count }) => ({
    subject: `E-mails de ${project} são recusados pelos servidores de destino`,
    paragraphs: [
      {
        blocked: `Nos últimos 7 dias, ${count} e-mails de ${project} foram bloqueados por causa da reputação do servidor ou do domínio de envio. Escreva apenas a quem concordou e remova os endereços que nunca reagem; se o servidor estiver em uma lista de bloqueio, peça ao operador que o retire.`,
        authentication: `Nos últimos 7 dias, ${count} e-mails de ${project} foram recusados porque o remetente não pôde ser autenticado. Verifique os registros SPF, DKIM e DMARC do seu domínio na página dele.`,
        content: `Nos últimos 7 dias, ${count} e-mails de ${project} foram recusados por causa do conteúdo. Verifique os links, os anexos e o texto dos seus envios.`,
      }[refusal],
      'Os endereços afetados são mantidos e o projeto continua enviando.',
    ],
    button: refusal === 'authentication' ? 'Abrir os domínios' : 'Abrir a reputação',
  }),
  executionsFailed: ({ project, workflow, count, groups }) => ({
    subject: `Execuções de “${workflow}” estão falhando`,
    paragraphs: [
      `Nas últimas 24 horas, ${count} execuções do fluxo de trabalho “${workflow}” do projeto ${project} falharam. Com mais frequência:`,
      ...failureLines(groups, (step) => `“${step}”`),
      'Depois de corrigida a causa, podem ser repetidas: cada uma continua na etapa em que falhou. Você recebe este e-mail no máximo uma vez por dia.',
    ],
    button: 'Abrir as execuções com falha',
  }),
  workflowDisabled: ({ project, workflow, step, failed, visits }) => ({
    subject: `“${workflow}” foi desativado`,
    paragraphs: [
      `O fluxo de trabalho “${workflow}” do projeto ${project} foi desativado porque execuções demais falharam: ${failed} de ${visits} na etapa “${step}”.`,
      'Agora ninguém entra; quem já está nele continua. Corrija a etapa, repita o que falhou e ative o fluxo de trabalho novamente.',
    ],
    button: 'Abrir as execuções com falha',
  }),
  campaignPaused: ({ project, campaign, reason, sent, total }) => ({
    subject: `“${campaign}” foi pausada`,
    paragraphs: [
      `A campanha “${campaign}” do projeto ${project} foi pausada após ${sent} de ${total} e-mails.`,
      guardReasons[reason],
      'Nada mais dela é enviado até que você a retome. Verifique primeiro os destinatários; o restante também pode ser cancelado.',
    ],
    button: 'Abrir a campanha',
  }),
  testUndecided: ({ project, campaign, isMismatch }) => ({
    subject: `“${campaign}” aguarda a sua decisão`,
    paragraphs: [
      `O teste da campanha “${campaign}” do projeto ${project} terminou.`,
      ...(isMismatch
        ? [
            'As variantes chegaram em partes demasiado desiguais para ser acaso; talvez se tenha comparado algo além do conteúdo.',
          ]
        : []),
      'Os destinatários fora do teste não recebem nada até que escolha uma variante. Também podem ser cancelados.',
    ],
    button: 'Abrir a campanha',
  }),
  approvalRequested: ({ project }) => ({
    subject: `Um programa pede aprovação em ${project}`,
    paragraphs: [
      `Um programa que usa uma chave de ${project} pede que aceite algo que enviaria e-mails ou alteraria muitos dados. Nada é feito antes da sua decisão.`,
    ],
    button: 'Abrir as aprovações',
  }),
  campaignApprovalRequested: ({ project, campaign }) => ({
    subject: `Uma campanha de ${project} espera a sua aprovação`,
    paragraphs: [
      `A campanha “${campaign}” de ${project} espera a aprovação de um proprietário ou administrador que não a tenha pedido nem feito a última alteração. Não é enviada antes disso.`,
    ],
    button: 'Abrir as aprovações',
  }),
  storageLimit: ({ percent, used, limit }) => ({
    subject:
      percent === 100
        ? 'O seu limite de armazenamento foi atingido'
        : '80% do seu limite de armazenamento foi atingido',
    paragraphs: [
      `Seus projetos ocupam ${megabytes(used)} dos ${megabytes(limit)} disponíveis.`,
      percent === 100
        ? 'Novas imagens, anexos, modelos, campanhas, importações, exportações e e-mails com conteúdo novo são recusados até haver espaço novamente. Os e-mails já aceitos são entregues.'
        : 'Acima do limite, novas imagens, anexos, modelos, campanhas, importações, exportações e e-mails com conteúdo novo são recusados.',
      'Exclua imagens, modelos ou exportações de que não precisa mais.',
    ],
    button: 'Abrir as configurações',
  }),
};
