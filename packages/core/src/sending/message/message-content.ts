import type { EmailSource } from '../../db/index.ts';
import type { EmailContent } from '../../templates/index.ts';
import type { Variables } from '../../templates/language/index.ts';

/** An attachment with its decoded bytes. */
export interface MessageAttachment {
  readonly filename: string;
  readonly contentType: string;
  readonly contentId?: string | null;
  readonly disposition: 'attachment' | 'inline';
  readonly content: Buffer;
}

/** Everything that the mails of one request or campaign have in common. */
export interface MessageContent extends Readonly<EmailContent> {
  readonly sourceType: EmailSource;
  /** The caller's own headers; they replace defaults by case-insensitive name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MessageAttachment[];
  readonly projectName: string;
  readonly language: string;
  /** Whether opens and clicks are tracked; decided by the caller from project mode, class and request. */
  readonly tracking: boolean;
}

/** One recipient of a message. */
export interface MessageRecipient {
  readonly emailId: string;
  readonly to: string;
  readonly toName: string | null;
  /** Null for test mail to somebody who is no contact. */
  readonly contactId: string | null;
  /** Made by `buildVariables`. */
  readonly vars: Variables;
  /** The contact's language, if known. */
  readonly locale: string | null;
}

/** Whom a link belongs to; a link without an owner leads to a page that changes nothing. */
export interface LinkOwner {
  readonly contactId: string | null;
  readonly emailId: string | null;
}

/** A recipient for a preview, which may belong to no email. */
export type PreviewRecipient = Omit<MessageRecipient, 'emailId'> & LinkOwner;

/** Makes the signed URLs that stand in a mail. Tokens are made elsewhere. */
export interface LinkBuilder {
  unsubscribeUrl(owner: LinkOwner): string;
  subscribeUrl(owner: LinkOwner): string;
  manageUrl(owner: LinkOwner): string;
  oneClickUrl(owner: LinkOwner): string;
  openPixelUrl(emailId: string): string;
  /** `linkId` is the place of a fixed URL in the content's link table; rendered URLs travel as themselves. */
  clickUrl(emailId: string, target: { linkId: number } | { url: string }): string;
  /** Whether a URL is one of our own public pages, whoever it belongs to; such links are never rewritten. */
  isPublicLink?(url: string): boolean;
}
