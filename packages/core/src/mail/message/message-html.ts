import { escapeHtml } from '../../content/templates/language/index.ts';
import { asDocument, bodyEnd, type DocumentInfo, insertAt } from './html-document.ts';
import type { ContactUrls } from './message-content.ts';

/** The document to send: the body, wrapped where necessary, with its footer. */
export function withFooter(body: string, footer: string, info: DocumentInfo): string {
  const html = asDocument(body, info);
  return footer === '' ? html : insertAt(html, bodyEnd(html), footer);
}

/** Whether the HTML itself contains a link to opt out, as it is or escaped. */
export function holdsOptOut(html: string, { unsubscribeUrl, manageUrl }: ContactUrls): boolean {
  return [unsubscribeUrl, manageUrl].some((url) => html.includes(url) || html.includes(escapeHtml(url)));
}

/** The image whose request counts as an open. */
export function pixelHtml(url: string): string {
  return `<img src="${escapeHtml(url)}" width="1" height="1" alt="" style="border:0;height:1px;width:1px">`;
}
