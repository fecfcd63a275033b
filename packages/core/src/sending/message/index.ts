export { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from '../../kernel/mail-languages.ts';
export { createDkimSigner, type DkimSigner } from './dkim.ts';
export { type HeaderField, readableFields, readFields, readParameters } from './header-fields.ts';
export { asciiDomain } from './mail-headers.ts';
export type {
  ContactUrls,
  LinkBuilder,
  LinkOwner,
  MessageContent,
  MessageRecipient,
} from './message-content.ts';
export {
  bodyStartOf,
  type MessagePart,
  messageLimits,
  type PartLimits,
  partsOf,
  readParts,
  textOf,
} from './message-parts.ts';
export { estimateMessageSize, fitsIntoMessage } from './message-size.ts';
export {
  type MessagePreview,
  type PreparedMessage,
  prepareMessage,
} from './prepare-message.ts';
export { bounceAddress, proofOf, readBounceAddress } from './return-path.ts';
export { htmlPartOf, prepareSubmitted } from './submitted-message.ts';
