import type { Task } from '../../base/kernel/ports/threads.ts';
import { buildVariables, type VariableSources } from '../../content/templates/language/index.ts';
import { createLinkBuilder } from './link-builder.ts';
import type { LinkOwner, MessageContent } from './message-content.ts';
import { type MessagePreview, prepareMessage } from './prepare-message.ts';

/** A content and the recipient it is shown for. */
export interface PreviewInput {
  content: MessageContent;
  contact: VariableSources['contact'];
  requestData: Record<string, unknown> | null;
  /** of the links; a preview without an owner holds no link that has an effect */
  owner: LinkOwner;
  to: string;
  toName: string | null;
  /** used when the data has no `locale` */
  locale: string | null;
  /** fills in names only */
  plain: boolean;
}

export const previewTask: Task<PreviewInput, MessagePreview> = {
  name: 'sending.preview',
  run({ content, contact, requestData, owner, to, toName, locale, plain }, { linksUrl, secrets }) {
    const links = createLinkBuilder(linksUrl, secrets);
    const vars = buildVariables({
      contact,
      requestData,
      project: { language: content.language },
      urls: links.urlsOf(owner),
    });
    return prepareMessage(content, links, { plain }).preview({
      ...owner,
      to,
      toName,
      vars,
      locale: typeof vars['locale'] === 'string' ? vars['locale'] : locale,
    });
  },
};
