import type { Services } from '../../base/kernel/services.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import { escapeHtml } from '../../content/templates/language/index.ts';
import type { UnprovenOwner } from '../ledger/index.ts';
import type { MessageContent } from '../message/index.ts';
import { encodeAccountLink, mapSource } from '../message/index.ts';
import { readPlatformFrom } from '../platform-mail/index.ts';

const texts: Record<MailLanguage, string> = {
  en: 'Test email. Somebody signed up at {host} with this address. If it was not you: {link}',
  nl: 'Testmail. Iemand heeft zich met dit adres aangemeld bij {host}. Was u dat niet? {link}',
  fr: 'E-mail de test. Quelqu’un s’est inscrit sur {host} avec cette adresse. Si ce n’était pas vous\u00a0: {link}',
  de: 'Test-E-Mail. Jemand hat sich mit dieser Adresse bei {host} registriert. Falls Sie es nicht waren: {link}',
  es: 'Correo de prueba. Alguien se ha registrado en {host} con esta dirección. Si no ha sido usted: {link}',
  it: 'E-mail di prova. Qualcuno si è registrato su {host} con questo indirizzo. Se non è stato lei: {link}',
  pt: 'E-mail de teste. Alguém se registou em {host} com este endereço. Se não foi você: {link}',
  pl: 'Wiadomość testowa. Ktoś założył konto w {host}, podając ten adres. Jeśli to nie Ty: {link}',
  hi: 'परीक्षण ईमेल। किसी ने इस पते से {host} पर खाता बनाया है। अगर वह आप नहीं थे: {link}',
  ja: 'テストメールです。このアドレスで {host} に登録がありました。お心当たりがない場合はこちら: {link}',
  zh: '测试邮件。有人使用此地址在 {host} 注册。如果不是您本人：{link}',
};

/** A text, which may be a template, as the body of an HTML part. */
function asHtml(text: string, literal: boolean): string {
  const written = literal
    ? escapeHtml(text)
    : mapSource(text, { literal: (words) => escapeHtml(words), tag: (tag) => tag });
  return `<div style="white-space:pre-wrap">${written}</div>`;
}

/** The style sheet of the body cannot hide it: only an inline style that is important itself would win. */
const style = [
  'display:block',
  'visibility:visible',
  'position:static',
  'margin:0 0 16px',
  'padding:12px 16px',
  'border:1px solid #8a6d1f',
  'background:#fff7dc',
  'color:#3d3000',
  'font:14px/1.5 system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif',
  'opacity:1',
  'height:auto',
  'max-height:none',
  'width:auto',
  'max-width:none',
  'overflow:visible',
  'text-indent:0',
  'transform:none',
  'clip-path:none',
]
  .map((declaration) => `${declaration} !important`)
  .join(';');

/** A content, and the plain text of a submitted message. */
interface Given {
  message: Content;
  submittedText: string | null;
}

type Content = Omit<MessageContent, 'tracking' | 'toOther'>;

/**
 * A content from the sandbox as an owner gets it who has not proven the address (behaviour B11.4): plainly a test of this platform, which
 * tells whoever reads the mailbox how to end it. Nothing of the request comes before the note, not even the hidden preheader; a note
 * inside the body element could be moved into a comment by a body that is made for that. A submitted message is written anew from its
 * HTML, or its text.
 */
export function asSandboxTest(
  { config, secrets }: Pick<Services, 'config' | 'secrets'>,
  { message: { submitted, ...content }, submittedText }: Given,
  owner: UnprovenOwner,
): Content {
  const url = `${config.LINKS_URL}/u/not-me/${encodeAccountLink(secrets, owner.id)}`;
  const host = new URL(config.DASHBOARD_URL).host;
  const [before = '', after = ''] = escapeHtml(texts[owner.language].replace('{host}', () => host)).split(
    '{link}',
  );
  const link = `<a href="${escapeHtml(url)}" style="color:#28489c !important;overflow-wrap:anywhere">${escapeHtml(url)}</a>`;
  const note = `<div lang="${owner.language}" dir="ltr" style="${escapeHtml(style)}">${before}${link}${after}</div>\n`;
  const body =
    content.body === ''
      ? asHtml(submittedText ?? content.text ?? '', content.literal ?? !!submitted)
      : content.body;
  return {
    ...content,
    fromName: readPlatformFrom(config.PLATFORM_FROM).name ?? 'Postrider',
    preheader: null,
    // Made from the HTML, it has the note too.
    text: null,
    // A document type keeps a complete document out of the quirks mode of browsers.
    body: `${/<html[\s>]/i.test(body) ? '<!DOCTYPE html>\n' : ''}${note}${body}`,
    ...(submitted && { literal: true }),
    attachments: [],
  };
}
