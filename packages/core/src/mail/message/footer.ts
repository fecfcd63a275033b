import type { MailLanguage } from '../../base/lib/mail-languages.ts';
import { escapeHtml } from '../../content/templates/language/index.ts';

/** The reason for the email (`{project}` is the project's name), and the text of the link to the manage page. */
const texts: Record<MailLanguage, readonly [reason: string, manage: string]> = {
  en: ['You receive this email because you are subscribed to {project}.', 'Manage your subscription'],
  nl: ['Je ontvangt deze e-mail omdat je bent ingeschreven bij {project}.', 'Beheer je inschrijving'],
  fr: ['Vous recevez cet e-mail parce que vous êtes abonné à {project}.', 'Gérer votre abonnement'],
  de: ['Sie erhalten diese E-Mail, weil Sie bei {project} angemeldet sind.', 'Abonnement verwalten'],
  es: ['Recibes este correo porque tienes una suscripción a {project}.', 'Gestionar tu suscripción'],
  it: ['Ricevi questa email perché hai un’iscrizione a {project}.', 'Gestisci la tua iscrizione'],
  pt: ['Você recebe este e-mail porque tem uma inscrição em {project}.', 'Gerenciar sua inscrição'],
  pl: ['Otrzymujesz tę wiadomość, ponieważ subskrybujesz {project}.', 'Zarządzaj subskrypcją'],
  hi: ['आपको यह ईमेल इसलिए मिला है क्योंकि आपने {project} की सदस्यता ली है।', 'अपनी सदस्यता प्रबंधित करें'],
  ja: ['このメールは {project} の配信に登録されている方にお送りしています。', '配信設定を管理する'],
  zh: ['您收到此邮件是因为您订阅了 {project}。', '管理您的订阅'],
};

/** Inline, because mail programs drop style elements, and with a font, because a fragment has none. */
const look =
  "margin:0 auto;max-width:600px;padding:16px 24px 32px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:12px;line-height:1.6;color:#6c6962;text-align:center";

/** The footer of MARKETING email. `manageUrl` is inserted into the HTML unescaped. */
export function footerHtml(language: MailLanguage, projectName: string, manageUrl: string): string {
  const [reason, manage] = texts[language];
  // A replacement function, because `$` in a name must not be interpreted.
  const sentence = reason.replace('{project}', () => escapeHtml(projectName));
  return `\n<hr>\n<p style="${look}">${sentence} <a href="${manageUrl}" style="color:#6c6962">${manage}</a></p>\n`;
}
