export { createDkimSigner, type DkimKey, type DkimSigner } from './dkim.ts';
export { MAIL_LANGUAGES, type MailLanguage, selectLanguage } from './language.rules.ts';
export type {
  LinkBuilder,
  LinkOwner,
  MessageAttachment,
  MessageContent,
  MessageRecipient,
  PreviewRecipient,
} from './message-content.ts';
export { estimateMessageSize, fitsIntoMessage } from './message-size.ts';
export {
  type ComposedMessage,
  type MessagePreview,
  type PreparedMessage,
  type PrepareOptions,
  prepareMessage,
} from './prepare-message.ts';
export { bounceAddress, readBounceAddress } from './return-path.ts';
