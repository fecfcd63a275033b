import type { MailLanguage } from '../../base/lib/mail-languages.ts';

/** What the script of forms says on pages of customers; snippets carry these as attributes of the form. */
export const scriptTexts: Readonly<
  Record<MailLanguage, { email: string; button: string; received: string; failed: string }>
> = {
  en: {
    email: 'Email address',
    button: 'Subscribe',
    received: 'Look in your inbox: we have sent you a link to confirm.',
    failed: 'This did not work. Please try again later.',
  },
  nl: {
    email: 'E-mailadres',
    button: 'Inschrijven',
    received: 'Kijk in je inbox: we hebben je een link gestuurd om te bevestigen.',
    failed: 'Dit is niet gelukt. Probeer het later nog eens.',
  },
  fr: {
    email: 'Adresse e-mail',
    button: 'S’abonner',
    received: 'Consultez votre boîte de réception\u00a0: nous vous avons envoyé un lien de confirmation.',
    failed: 'Cela n’a pas fonctionné. Veuillez réessayer plus tard.',
  },
  de: {
    email: 'E-Mail-Adresse',
    button: 'Anmelden',
    received: 'Sehen Sie in Ihr Postfach: Wir haben Ihnen einen Link zum Bestätigen gesendet.',
    failed: 'Das hat nicht geklappt. Bitte versuchen Sie es später noch einmal.',
  },
  es: {
    email: 'Correo electrónico',
    button: 'Suscribirse',
    received: 'Mira tu bandeja de entrada: te hemos enviado un enlace para confirmar.',
    failed: 'No ha funcionado. Vuelve a intentarlo más tarde.',
  },
  it: {
    email: 'Indirizzo email',
    button: 'Iscriviti',
    received: 'Guarda nella posta in arrivo: ti abbiamo inviato un link per confermare.',
    failed: 'Non ha funzionato. Riprova più tardi.',
  },
  pt: {
    email: 'Endereço de e-mail',
    button: 'Inscrever-se',
    received: 'Veja sua caixa de entrada: enviamos um link para confirmar.',
    failed: 'Não funcionou. Tente novamente mais tarde.',
  },
  pl: {
    email: 'Adres e-mail',
    button: 'Zapisz się',
    received: 'Sprawdź skrzynkę odbiorczą: wysłaliśmy link do potwierdzenia.',
    failed: 'Nie udało się. Spróbuj ponownie później.',
  },
  hi: {
    email: 'ईमेल पता',
    button: 'सदस्यता लें',
    received: 'अपना इनबॉक्स देखें: हमने आपको पुष्टि के लिए एक लिंक भेजा है।',
    failed: 'यह नहीं हो पाया। कृपया बाद में फिर कोशिश करें।',
  },
  ja: {
    email: 'メールアドレス',
    button: '登録する',
    received: '受信トレイをご確認ください。確認用のリンクをお送りしました。',
    failed: 'うまくいきませんでした。しばらくしてからもう一度お試しください。',
  },
  zh: {
    email: '电子邮件地址',
    button: '订阅',
    received: '请查看您的收件箱：我们已发送确认链接。',
    failed: '操作未成功。请稍后再试。',
  },
};
