import type { PlatformMail, PlatformMailOf, PlatformMails } from '../../base/kernel/ports/platform-mailer.ts';
import { escapeHtml } from '../../content/templates/language/index.ts';
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

/** The colours of the dashboard. The light ones are attributes of the elements, for email programs that drop the style sheet. */
const styles = {
  body: 'margin:0;padding:32px 16px;background:#f8f7f4;color:#1c1b19;font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5',
  brand: 'max-width:560px;margin:0 auto 16px;font-size:15px;font-weight:600',
  card: 'max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e6e4de;border-radius:12px;box-sizing:border-box',
  title: 'margin:0 0 16px;font-size:22px;line-height:1.3',
  text: 'margin:0 0 16px;overflow-wrap:anywhere',
  button:
    'display:inline-block;margin:4px 0 8px;padding:12px 20px;border-radius:8px;background:#22325c;color:#ffffff;font-weight:600;text-decoration:none',
  small: 'margin:0 0 8px;font-size:13px;color:#55524c;overflow-wrap:anywhere',
  link: 'color:#28489c',
};

const darkStyles = `@media (prefers-color-scheme: dark) {
.page { background: #131312 !important; color: #edebe6 !important; }
.card { background: #1a1a18 !important; border-color: #383633 !important; }
.small { color: #b3b0a8 !important; }
.button { background: #edebe6 !important; color: #171716 !important; }
.link { color: #a5bbf2 !important; }
}`;

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
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${darkStyles}</style>
</head>
<body class="page" style="${styles.body}">
<div style="${styles.brand}">Postrider</div>
<div role="article" aria-label="${title}" lang="${language}" dir="ltr" class="card" style="${styles.card}">
<h1 style="${styles.title}">${title}</h1>
${paragraphs.map((paragraph) => `<p style="${styles.text}">${escapeHtml(paragraph)}</p>`).join('\n')}
<p style="${styles.text}"><a href="${address}" class="button" style="${styles.button}">${escapeHtml(button)}</a></p>
<p class="small" style="${styles.small}">${escapeHtml(copyLink)}<br><a href="${address}" class="link" style="${styles.link}">${address}</a></p>
${note === undefined ? '' : `<p class="small" style="${styles.small}">${escapeHtml(note)}</p>\n`}</div>
</body>
</html>
`;
}
