import type { SqlDb } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import type { MailLanguage } from '../../base/lib/index.ts';
import { escapeHtml } from '../../content/templates/language/index.ts';
import { findSender } from '../../people/domains/index.ts';
import {
  type ConfirmationSender,
  contrast,
  findAskingTemplate,
  holdsConfirmUrl,
  leastContrast,
  type ShownProject,
} from '../../people/projects/index.ts';
import { insertConfirmation, type NewContent, storeContent } from '../ledger/index.ts';
import { capsOf } from '../ramp/ramp.rules.ts';
import { requestMailTexts } from './request-mail-texts.ts';

export interface RequestMail {
  /** of the email; of a request that is to be confirmed, also the request's */
  id: string;
  kind: 'confirm' | 'known';
  projectId: string;
  contactId: string;
  to: string;
  language: MailLanguage;
  project: ShownProject;
  sender: ConfirmationSender;
}

/**
 * Writes the email that a form or a request causes, in the caller's transaction; `notifyOutbox` follows its commit. In it is nothing that
 * whoever asked has typed, but the address (behaviour B12.5).
 *
 * @returns whether there is a sender to write it: its domain may have lost its records
 */
export async function writeRequestMail(
  services: Pick<Services, 'config'>,
  db: SqlDb,
  mail: RequestMail,
): Promise<boolean> {
  const { projectId, sender: named } = mail;
  const sender = await findSender(services.config, db, projectId, named.from);
  if (!sender) return false;
  const template = mail.kind === 'confirm' ? await textsOfTemplate(db, projectId, named.templateId) : null;
  const contentId = await storeContent(db, {
    ...(template ?? builtIn(mail)),
    ...(mail.kind === 'confirm' && { confirms: true as const }),
    projectId,
    type: 'TRANSACTIONAL',
    sourceType: 'TRANSACTIONAL',
    from: named.from,
    fromName: named.fromName,
    replyTo: named.replyTo,
    headers: {},
    projectName: mail.project.name,
    language: mail.language,
    attachments: [],
  });
  await insertConfirmation(
    db,
    {
      id: mail.id,
      projectId,
      contactId: mail.contactId,
      to: mail.to,
      contentId,
      domainId: sender.domainId,
      templateId: template && named.templateId,
      vars: { project: mail.project.name, address: mail.project.brand.address ?? '', locale: mail.language },
    },
    capsOf(services.config),
  );
  return true;
}

type Texts = Pick<NewContent, 'subject' | 'preheader' | 'body' | 'text'>;

/** The template of the project, as long as it can ask; without one, the built-in email does. */
async function textsOfTemplate(
  db: SqlDb,
  projectId: string,
  templateId: string | null,
): Promise<Texts | null> {
  if (templateId === null) return null;
  const row = await findAskingTemplate(db, projectId, templateId);
  if (row?.type !== 'TRANSACTIONAL' || !holdsConfirmUrl(row)) return null;
  const { type: _, ...texts } = row;
  return texts;
}

const font = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif';

/** The light colours are attributes of the elements, for email programs that drop the style sheet. */
const darkStyles = `@media (prefers-color-scheme: dark) {
.page { background: #131312 !important; color: #edebe6 !important; }
.card { background: #1a1a18 !important; border-color: #383633 !important; }
.small { color: #b3b0a8 !important; }
.button { background: #edebe6 !important; color: #171716 !important; }
.link { color: #a5bbf2 !important; }
}`;

/** The name of the project is a variable, so that nothing in it is read as a template. */
function builtIn({ kind, language, project: { brand } }: RequestMail): Texts {
  const { confirm, known, copyLink } = requestMailTexts[language];
  const { subject, lead, button } = kind === 'confirm' ? confirm : known;
  const url = kind === 'confirm' ? '{{confirmUrl}}' : '{{manageUrl}}';
  const accent = contrast(brand.primaryColor, '#ffffff') >= leastContrast ? brand.primaryColor : '#22325c';
  const paragraph = 'margin:0 0 16px;overflow-wrap:anywhere';
  const small = 'margin:0 0 8px;font-size:13px;color:#55524c;overflow-wrap:anywhere';
  const title = escapeHtml(subject);
  const body = `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>${darkStyles}</style>
</head>
<body class="page" style="margin:0;padding:32px 16px;background:#f8f7f4;color:#1c1b19;font-family:${font};font-size:16px;line-height:1.5">
${brand.logoUrl === null ? `<div style="max-width:560px;margin:0 auto 16px;font-size:17px;font-weight:600;overflow-wrap:anywhere">{{project}}</div>` : `<div style="max-width:560px;margin:0 auto 16px"><img src="${escapeHtml(withoutBraces(brand.logoUrl))}" alt="{{project}}" height="44" style="max-width:100%;height:44px"></div>`}
<div role="article" aria-label="${title}" lang="${language}" dir="ltr" class="card" style="max-width:560px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid #e6e4de;border-radius:12px;box-sizing:border-box">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3;overflow-wrap:anywhere">${title}</h1>
<p style="${paragraph}">${escapeHtml(lead)}</p>
<p style="${paragraph}"><a href="${url}" class="button" style="display:inline-block;margin:4px 0 8px;padding:12px 20px;border-radius:8px;background:${accent};color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(button)}</a></p>
<p class="small" style="${small}">${escapeHtml(copyLink)}<br><a href="${url}" class="link" style="color:#28489c">${url}</a></p>
${kind === 'confirm' ? `<p class="small" style="${small}">${escapeHtml(confirm.note)}</p>\n` : ''}</div>
${brand.address === null ? '' : `<p class="small" style="max-width:560px;margin:16px auto 0;font-size:13px;color:#55524c;overflow-wrap:anywhere">{{address}}</p>\n`}</body>
</html>
`;
  return { subject, preheader: null, body, text: null };
}

/** Of an address, which has them only where they would be read as a template. */
const withoutBraces = (url: string): string => url.replaceAll('{', '%7B').replaceAll('}', '%7D');
