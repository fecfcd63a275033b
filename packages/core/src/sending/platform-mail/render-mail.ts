import type { PlatformMail, PlatformMailOf, PlatformMails } from '../../kernel/ports/platform-mailer.ts';
import { escapeHtml } from '../../templates/language/index.ts';
import { type MailText, type MailWriters, texts } from './texts/index.ts';

/**
 * The subject and the HTML of a platform email in the language of its addressee. Its plain-text part is derived from the HTML, as for
 * every email. Nothing is loaded from elsewhere.
 */
export function renderMail(mail: PlatformMail): { subject: string; html: string } {
  const { language } = mail.to;
  const text = textOf(mail);
  return { subject: text.subject, html: documentOf(text, { language, url: mail.url }) };
}

function textOf<Name extends keyof PlatformMails>({ to, mail, values }: PlatformMailOf<Name>): MailText {
  const writers: MailWriters = texts[to.language];
  return writers[mail](values);
}

const styles = {
  body: 'margin:0;padding:24px 16px;background:#f6f7f9;color:#1c2430;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e2e6ec;border-radius:12px',
  title: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  button:
    'display:inline-block;padding:12px 20px;border-radius:8px;background:#1f4fd8;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 8px;font-size:14px;color:#4a5568;overflow-wrap:anywhere',
  link: 'color:#1f4fd8',
};

function documentOf(
  { subject, paragraphs, button, note }: MailText,
  { language, url }: { language: keyof typeof texts; url: string },
): string {
  const title = escapeHtml(subject);
  const address = escapeHtml(url);
  const { copyLink } = texts[language];
  // Every language of the platform is written from left to right.
  return `<!DOCTYPE html>
<html lang="${language}" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light">
<title>${title}</title>
</head>
<body style="${styles.body}">
<div role="article" aria-label="${title}" lang="${language}" dir="ltr" style="${styles.card}">
<h1 style="${styles.title}">${title}</h1>
${paragraphs.map((paragraph) => `<p style="${styles.text}">${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="${styles.text}"><a href="${address}" style="${styles.button}">${escapeHtml(button)}</a></p>
<p style="${styles.small}">${escapeHtml(copyLink)}<br><a href="${address}" style="${styles.link}">${address}</a></p>
${note === undefined ? '' : `<p style="${styles.small}">${escapeHtml(note)}</p>\n`}</div>
</body>
</html>
`;
}
