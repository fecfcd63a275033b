import type { MailLanguage } from '../../base/lib/mail-languages.ts';
import { escapeHtml } from '../../content/templates/language/index.ts';

/** Why somebody gets the email (`{project}` is the project's name), the same for one of a topic (`{topic}`), and the text of the link to the manage page. */
const texts: Record<MailLanguage, readonly [reason: string, ofTopic: string, manage: string]> = {
  en: [
    'You receive this email because you are subscribed to {project}.',
    'You receive this email because you are subscribed to “{topic}” by {project}.',
    'Manage your subscription',
  ],
  nl: [
    'Je ontvangt deze e-mail omdat je bent ingeschreven bij {project}.',
    'Je ontvangt deze e-mail omdat je bij {project} bent ingeschreven voor “{topic}”.',
    'Beheer je inschrijving',
  ],
  fr: [
    'Vous recevez cet e-mail parce que vous êtes abonné à {project}.',
    'Vous recevez cet e-mail parce que vous êtes abonné à « {topic} » de {project}.',
    'Gérer votre abonnement',
  ],
  de: [
    'Sie erhalten diese E-Mail, weil Sie bei {project} angemeldet sind.',
    'Sie erhalten diese E-Mail, weil Sie bei {project} für „{topic}“ angemeldet sind.',
    'Abonnement verwalten',
  ],
  es: [
    'Recibes este correo porque tienes una suscripción a {project}.',
    'Recibes este correo porque tienes una suscripción a «{topic}» de {project}.',
    'Gestionar tu suscripción',
  ],
  it: [
    'Ricevi questa email perché hai un’iscrizione a {project}.',
    'Ricevi questa email perché hai un’iscrizione a «{topic}» di {project}.',
    'Gestisci la tua iscrizione',
  ],
  pt: [
    'Você recebe este e-mail porque tem uma inscrição em {project}.',
    'Você recebe este e-mail porque tem uma inscrição em “{topic}” de {project}.',
    'Gerenciar sua inscrição',
  ],
  pl: [
    'Otrzymujesz tę wiadomość, ponieważ subskrybujesz {project}.',
    'Otrzymujesz tę wiadomość, ponieważ subskrybujesz „{topic}” od {project}.',
    'Zarządzaj subskrypcją',
  ],
  hi: [
    'आपको यह ईमेल इसलिए मिला है क्योंकि आपने {project} की सदस्यता ली है।',
    'आपको यह ईमेल इसलिए मिला है क्योंकि आपने {project} के “{topic}” की सदस्यता ली है।',
    'अपनी सदस्यता प्रबंधित करें',
  ],
  ja: [
    'このメールは {project} の配信に登録されている方にお送りしています。',
    'このメールは {project} の「{topic}」に登録されている方にお送りしています。',
    '配信設定を管理する',
  ],
  zh: [
    '您收到此邮件是因为您订阅了 {project}。',
    '您收到此邮件是因为您订阅了 {project} 的“{topic}”。',
    '管理您的订阅',
  ],
};

/** Inline, because mail programs drop style elements, and with a font, because a fragment has none. */
const look =
  "margin:0 auto;max-width:600px;padding:16px 24px 32px;font-family:-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:12px;line-height:1.6;color:#6c6962;text-align:center";

/** What a footer says besides the language. */
export interface Footer {
  projectName: string;
  /** inserted into the HTML unescaped */
  manageUrl: string;
  /** the name of the topic; null for `general` or none */
  topic: string | null;
  /** a postal address; null without one, and where the body has it */
  address: string | null;
}

/** The footer of MARKETING email. */
export function footerHtml(
  language: MailLanguage,
  { projectName, manageUrl, topic, address }: Footer,
): string {
  const [reason, ofTopic, manage] = texts[language];
  const values: Record<string, string> = { project: escapeHtml(projectName), topic: escapeHtml(topic ?? '') };
  // At once and by a function: neither a `$` nor a placeholder in a name is interpreted.
  const sentence = (topic === null ? reason : ofTopic).replace(
    /\{(project|topic)\}/g,
    (_, name: string) => values[name] ?? '',
  );
  const sender = address === null ? '' : `<br>${escapeHtml(address)}`;
  return `\n<hr>\n<p style="${look}">${sentence} <a href="${manageUrl}" style="color:#6c6962">${manage}</a>${sender}</p>\n`;
}
