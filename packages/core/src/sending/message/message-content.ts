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

/** Everything that the emails of one request or campaign share. */
export interface MessageContent extends Readonly<EmailContent> {
  readonly sourceType: EmailSource;
  /** Headers set by the caller; they replace defaults by case-insensitive name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attachments: readonly MessageAttachment[];
  readonly projectName: string;
  readonly language: string;
  /** Whether opens and clicks are tracked; decided by the caller from project mode, email type and request. */
  readonly tracking: boolean;
}

/** One recipient of a message. */
export interface MessageRecipient {
  readonly emailId: string;
  readonly to: string;
  readonly toName: string | null;
  /** Null for test emails to an address without a contact. */
  readonly contactId: string | null;
  /** Made by `buildVariables`. */
  readonly vars: Variables;
  /** The contact's language, if known. */
  readonly locale: string | null;
}

/** The owner of a link; a link without an owner leads to a page that changes nothing. */
export interface LinkOwner {
  readonly contactId: string | null;
  readonly emailId: string | null;
}

/** A recipient for a preview, which may belong to no email. */
export type PreviewRecipient = Omit<MessageRecipient, 'emailId'> & LinkOwner;

/** Builds the signed URLs of an email. Tokens are signed elsewhere. */
export interface LinkBuilder {
  unsubscribeUrl(owner: LinkOwner): string;
  subscribeUrl(owner: LinkOwner): string;
  manageUrl(owner: LinkOwner): string;
  oneClickUrl(owner: LinkOwner): string;
  openPixelUrl(emailId: string): string;
  /** `linkId` is the index of a fixed URL in the content's link table; the token of a rendered URL carries the URL. */
  clickUrl(emailId: string, target: { linkId: number } | { url: string }): string;
  /** Whether a URL is a public page of Postrider, for any owner; such links are never rewritten. */
  isPublicLink?(url: string): boolean;
}
