import {
  checkContent,
  type KnownFields,
  type ValueSource,
} from '@postrider/core/automation/preflight/contract';
import type { EmailContent } from '@postrider/core/content/templates/contract';
import { type Finding, inOrder, ofRule } from './finding.rules.ts';

export interface CheckedMail extends Pick<EmailContent, 'subject' | 'preheader' | 'body' | 'text' | 'type'> {
  /** The document of the visual editor; null of HTML. */
  design: unknown;
  /** The postal address of the project; null without one. */
  address: string | null;
  /** The HTML as a recipient gets it; null while it was not rendered. */
  rendered: string | null;
  known: KnownFields | null;
  /** It is a campaign, which has no other values than those of contacts. */
  isCampaign: boolean;
}

/** The findings of the rules that need the email and its project alone, the most important first. */
export const checkMail = ({ address, known, isCampaign, ...content }: CheckedMail): Finding[] =>
  inOrder(
    checkContent({
      content: { ...content, source: sourceOf(content.type, isCampaign), fields: known },
      address,
    }).map(ofRule),
  );

/** Values of transactional templates come with each request, those of others with events as well. */
const sourceOf = (type: EmailContent['type'], isCampaign: boolean): ValueSource => {
  if (isCampaign) return 'contacts';
  return type === 'TRANSACTIONAL' ? 'requests' : 'events';
};
