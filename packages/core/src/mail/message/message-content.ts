import type { Texts } from '../../audience/topics/topics.rules.ts';
import type { EmailSource } from '../../base/db/index.ts';
import type { EmailContent } from '../../content/templates/index.ts';
import type { Variables } from '../../content/templates/language/index.ts';
import type { LinkTags } from './link-tags.rules.ts';

/** An attachment with its decoded bytes. */
export interface MessageAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId?: string | null;
  readonly disposition: 'attachment' | 'inline';
  readonly content: Buffer;
}

/** Everything that the emails of one request or campaign share. */
export interface MessageContent extends Readonly<EmailContent> {
  readonly sourceType: EmailSource;
  /** Whether the texts are final: nothing in them is a template, at no place. */
  readonly literal?: boolean;
  /** Whether its emails have the link that confirms a subscription request. */
  readonly confirms?: boolean;
  /** Headers set by the caller; they replace defaults by case-insensitive name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MessageAttachment[];
  readonly projectId: string;
  readonly projectName: string;
  readonly language: string;
  /** The topic of the email; absent or null without one. */
  readonly topic?: { readonly key: string; readonly name: Texts } | null;
  /** The tags of its links; absent or null without any. */
  readonly utm?: LinkTags | null;
  /** The postal address for its footer; absent or null without one. */
  readonly postalAddress?: string | null;
  /** A message that is sent as it is instead of one made from the texts (decision 024). */
  readonly submitted?: Buffer;
  /** Whether such a message is for a server that takes 7-bit messages only (RFC 6152). */
  readonly sevenBit?: boolean;
  /** Whether opens and clicks are tracked; decided by the caller from project mode, email type and request. */
  readonly tracking: boolean;
  /** Whether its recipient is another person than the contact: it then has no footer and no List-Unsubscribe. */
  readonly toOther?: boolean;
}

/** The links of a contact to its own pages. */
export interface ContactUrls {
  readonly unsubscribeUrl: string;
  readonly subscribeUrl: string;
  readonly manageUrl: string;
}

/** The links of one email to the contact's pages, and the tokens from which its other links are made. */
export interface OwnerLinks extends ContactUrls {
  readonly preferences: string;
  readonly open: string;
  readonly click: string;
}

/** A recipient as the fields `To` and `Cc` show it. */
export interface ShownRecipient {
  readonly email: string;
  readonly name: string | null;
}

/** What the messages of several recipients who see one another have in common. */
export interface SharedMessage {
  /** Its first email, from whose id the `Message-ID` of all is made. */
  readonly id: string;
  readonly to: readonly ShownRecipient[];
  readonly cc: readonly ShownRecipient[];
}

/** One recipient of a message. */
export interface MessageRecipient {
  readonly emailId: string;
  /** Made by `proofOf`. */
  readonly proof: string;
  readonly to: string;
  readonly toName: string | null;
  /** Null for test emails to an address without a contact. */
  readonly contactId: string | null;
  /** Null unless it belongs to a campaign. */
  readonly campaignId?: string | null;
  /** Null unless others see that it got the message. */
  readonly shared?: SharedMessage | null;
  /** Made by `buildVariables`. */
  readonly vars: Variables;
  /** The contact's language, if known. */
  readonly locale: string | null;
  /** Made by `LinkBuilder.linksFor`; made for this recipient alone when absent. */
  readonly links?: OwnerLinks;
}

/** The owner of a link; a link without an owner leads to a page that changes nothing. */
export interface LinkOwner {
  readonly contactId: string | null;
  readonly emailId: string | null;
}

/** A recipient for a preview, which may belong to no email. */
export type PreviewRecipient = Omit<MessageRecipient, 'emailId' | 'proof' | 'shared'> & LinkOwner;

/** Builds the public URLs of an email. Tokens are made elsewhere. */
export interface LinkBuilder {
  /** The links of many emails at once; that costs little more than those of one. */
  linksFor(owners: readonly LinkOwner[]): OwnerLinks[];
  oneClickUrl(preferences: string): string;
  openPixelUrl(open: string): string;
  /** `linkId` is the index of a fixed URL in the content's link table. */
  clickUrl(click: string, linkId: number): string;
  /** The click URL of a rendered URL, which its token carries. */
  renderedClickUrl(emailId: string, url: string): string;
  /** Whether a URL is a public page of Postrider, for any owner; such links are never rewritten. */
  isPublicLink?(url: string): boolean;
}

/** The links of a recipient. */
export function linksOf(recipient: PreviewRecipient, builder: LinkBuilder): OwnerLinks {
  const links = recipient.links ?? builder.linksFor([recipient])[0];
  if (!links) throw new TypeError('A link builder makes the links of every owner.');
  return links;
}
