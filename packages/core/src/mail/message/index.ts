export { CannotBeCarried, withShortLines } from './carried-message.ts';
export { contactVariables } from './contact-variables.ts';
export { createDkimSigner, type DkimSigner } from './dkim.ts';
export { type HeaderField, readableFields, readFields, readParameters } from './header-fields.ts';
export { createLinkBuilder } from './link-builder.ts';
export { linkTagger, linkTagsOf } from './link-tags.rules.ts';
export {
  decodeAccountLink,
  decodeConfirmLink,
  decodeLink,
  encodeAccountLink,
  encodeConfirmLink,
  encodeLink,
  type LinkToken,
} from './links.ts';
export { asciiDomain } from './mail-headers.ts';
export { mapSource } from './map-source.ts';
export type {
  LinkBuilder,
  MessageContent,
  MessageRecipient,
  SharedMessage,
} from './message-content.ts';
export {
  bodyStartOf,
  decodeTransfer,
  type MessagePart,
  messageLimits,
  type PartLimits,
  partsOf,
  readParts,
  textOf,
} from './message-parts.ts';
export { estimateMessageSize, fitsIntoMessage } from './message-size.ts';
export { type MessagePreview, type PreparedMessage, prepareMessage } from './prepare-message.ts';
export { bounceAddress, proofOf, readBounceAddress } from './return-path.ts';
export { htmlPartOf, prepareSubmitted } from './submitted-message.ts';
export { isTracked } from './tracked.rules.ts';
