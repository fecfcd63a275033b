import type { MailLanguage } from '../../base/lib/index.ts';

/** The emails that forms and subscription requests cause. `{{project}}` and `{{email}}` are variables. */
export interface RequestMailTexts {
  /** asks to confirm a request */
  confirm: { subject: string; lead: string; button: string; note: string };
  copyLink: string;
  /** for whoever is subscribed already */
  known: { subject: string; lead: string; button: string };
}

export const requestMailTexts: Record<MailLanguage, RequestMailTexts> = {
  en: {
    confirm: {
      subject: 'Please confirm your subscription to {{project}}',
      lead: 'Somebody, probably you, asked {{project}} to send email to {{email}}. Nothing is sent until you confirm it.',
      button: 'Confirm',
      note: 'If it was not you, you need not do anything, or say so on that page. The link is valid for 7 days.',
    },
    copyLink: 'Or copy this address into your browser:',
    known: {
      subject: 'You are already subscribed to {{project}}',
      lead: 'Somebody, probably you, has just signed up at {{project}} with {{email}}. You are subscribed already, so nothing has changed.',
      button: 'Email preferences',
    },
  },
  nl: {
    confirm: {
      subject: 'Bevestig je inschrijving bij {{project}}',
      lead: 'Iemand, waarschijnlijk jij, heeft {{project}} gevraagd om e-mail te sturen naar {{email}}. Er wordt niets verstuurd tot je dit bevestigt.',
      button: 'Bevestigen',
      note: 'Was jij het niet, dan hoef je niets te doen, of meld het op die pagina. De link is 7 dagen geldig.',
    },
    copyLink: 'Of kopieer dit adres naar je browser:',
    known: {
      subject: 'Je bent al ingeschreven bij {{project}}',
      lead: 'Iemand, waarschijnlijk jij, heeft zich zojuist met {{email}} bij {{project}} ingeschreven. Je was al ingeschreven, dus er is niets veranderd.',
      button: 'E-mailvoorkeuren',
    },
  },
  fr: {
    confirm: {
      subject: 'Veuillez confirmer votre abonnement à {{project}}',
      lead: 'Quelqu’un, sans doute vous, a demandé à {{project}} d’envoyer des e-mails à {{email}}. Rien n’est envoyé tant que vous n’avez pas confirmé.',
      button: 'Confirmer',
      note: 'Si ce n’était pas vous, vous n’avez rien à faire, ou signalez-le sur cette page. Le lien est valable 7 jours.',
    },
    copyLink: 'Ou copiez cette adresse dans votre navigateur\u00a0:',
    known: {
      subject: 'Vous êtes déjà abonné à {{project}}',
      lead: 'Quelqu’un, sans doute vous, vient de s’inscrire auprès de {{project}} avec {{email}}. Vous êtes déjà abonné, rien n’a donc changé.',
      button: 'Préférences d’e-mail',
    },
  },
  de: {
    confirm: {
      subject: 'Bitte bestätigen Sie Ihre Anmeldung bei {{project}}',
      lead: 'Jemand, vermutlich Sie, hat {{project}} gebeten, E-Mails an {{email}} zu senden. Bis Sie dies bestätigen, wird nichts gesendet.',
      button: 'Bestätigen',
      note: 'Falls Sie es nicht waren, brauchen Sie nichts zu tun, oder teilen Sie es auf dieser Seite mit. Der Link gilt 7 Tage.',
    },
    copyLink: 'Oder kopieren Sie diese Adresse in Ihren Browser:',
    known: {
      subject: 'Sie sind bei {{project}} schon angemeldet',
      lead: 'Jemand, vermutlich Sie, hat sich gerade mit {{email}} bei {{project}} angemeldet. Sie sind schon angemeldet, deshalb hat sich nichts geändert.',
      button: 'E-Mail-Einstellungen',
    },
  },
  es: {
    confirm: {
      subject: 'Confirma tu suscripción a {{project}}',
      lead: 'Alguien, probablemente tú, ha pedido a {{project}} que envíe correos a {{email}}. No se envía nada hasta que lo confirmes.',
      button: 'Confirmar',
      note: 'Si no has sido tú, no tienes que hacer nada, o dilo en esa página. El enlace es válido durante 7 días.',
    },
    copyLink: 'O copia esta dirección en tu navegador:',
    known: {
      subject: 'Ya tienes una suscripción a {{project}}',
      lead: 'Alguien, probablemente tú, se acaba de suscribir a {{project}} con {{email}}. Ya tenías una suscripción, así que nada ha cambiado.',
      button: 'Preferencias de correo',
    },
  },
  it: {
    confirm: {
      subject: 'Conferma la tua iscrizione a {{project}}',
      lead: 'Qualcuno, probabilmente tu, ha chiesto a {{project}} di inviare email a {{email}}. Non viene inviato nulla finché non confermi.',
      button: 'Conferma',
      note: 'Se non sei stato tu, non devi fare nulla, oppure dillo in quella pagina. Il link è valido per 7 giorni.',
    },
    copyLink: 'Oppure copia questo indirizzo nel browser:',
    known: {
      subject: 'Sei già iscritto a {{project}}',
      lead: 'Qualcuno, probabilmente tu, si è appena iscritto a {{project}} con {{email}}. Eri già iscritto, quindi non è cambiato nulla.',
      button: 'Preferenze email',
    },
  },
  pt: {
    confirm: {
      subject: 'Confirme sua inscrição em {{project}}',
      lead: 'Alguém, provavelmente você, pediu a {{project}} que enviasse e-mails para {{email}}. Nada é enviado até você confirmar.',
      button: 'Confirmar',
      note: 'Se não foi você, não precisa fazer nada, ou avise naquela página. O link vale por 7 dias.',
    },
    copyLink: 'Ou copie este endereço para o navegador:',
    known: {
      subject: 'Você já está inscrito em {{project}}',
      lead: 'Alguém, provavelmente você, acabou de se inscrever em {{project}} com {{email}}. Você já estava inscrito, então nada mudou.',
      button: 'Preferências de e-mail',
    },
  },
  pl: {
    confirm: {
      subject: 'Potwierdź subskrypcję {{project}}',
      lead: 'Ktoś, prawdopodobnie Ty, poprosił {{project}} o wysyłanie wiadomości na adres {{email}}. Nic nie zostanie wysłane, dopóki tego nie potwierdzisz.',
      button: 'Potwierdź',
      note: 'Jeśli to nie była Twoja prośba, nie musisz nic robić albo zgłoś to na tej stronie. Link jest ważny przez 7 dni.',
    },
    copyLink: 'Lub skopiuj ten adres do przeglądarki:',
    known: {
      subject: 'Masz już subskrypcję {{project}}',
      lead: 'Ktoś, prawdopodobnie Ty, właśnie zapisał się w {{project}} z adresem {{email}}. Subskrypcja już istnieje, więc nic się nie zmieniło.',
      button: 'Ustawienia e-maili',
    },
  },
  hi: {
    confirm: {
      subject: 'कृपया {{project}} की सदस्यता की पुष्टि करें',
      lead: 'किसी ने, शायद आपने, {{project}} से {{email}} पर ईमेल भेजने को कहा है। जब तक आप पुष्टि नहीं करते, कुछ नहीं भेजा जाएगा।',
      button: 'पुष्टि करें',
      note: 'अगर वह आप नहीं थे, तो आपको कुछ करने की ज़रूरत नहीं है, या उस पेज पर बता दें। लिंक 7 दिन तक मान्य है।',
    },
    copyLink: 'या यह पता अपने ब्राउज़र में कॉपी करें:',
    known: {
      subject: 'आपकी {{project}} की सदस्यता पहले से है',
      lead: 'किसी ने, शायद आपने, अभी {{email}} से {{project}} की सदस्यता ली है। आपकी सदस्यता पहले से है, इसलिए कुछ नहीं बदला।',
      button: 'ईमेल प्राथमिकताएँ',
    },
  },
  ja: {
    confirm: {
      subject: '{{project}} の配信登録をご確認ください',
      lead: '{{project}} から {{email}} へのメール配信の申し込みがありました。確定していただくまで、メールは配信されません。',
      button: '登録を確定する',
      note: 'お心当たりがない場合は、何もする必要はありません。開いたページでお知らせいただくこともできます。リンクの有効期間は7日間です。',
    },
    copyLink: 'または、このアドレスをブラウザにコピーしてください：',
    known: {
      subject: '{{project}} の配信にはすでに登録されています',
      lead: '{{email}} で {{project}} の配信への申し込みがありました。すでに登録されているため、変更はありません。',
      button: 'メール配信の設定',
    },
  },
  zh: {
    confirm: {
      subject: '请确认您对 {{project}} 的订阅',
      lead: '有人（可能是您）请求 {{project}} 向 {{email}} 发送邮件。在您确认之前，不会发送任何内容。',
      button: '确认',
      note: '如果不是您本人，您无需进行任何操作，也可以在该页面上告知我们。链接有效期为 7 天。',
    },
    copyLink: '或者将此地址复制到浏览器：',
    known: {
      subject: '您已订阅 {{project}}',
      lead: '有人（可能是您）刚刚用 {{email}} 订阅了 {{project}}。您此前已订阅，因此没有任何变化。',
      button: '邮件偏好设置',
    },
  },
};
