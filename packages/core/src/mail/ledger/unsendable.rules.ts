import { notVerifiedText, removedText } from '../../people/domains/domains.rules.ts';
import { storageReason } from '../../people/storage/storage.rules.ts';

/** `error` of an email that failed without being handed over, by why; those that end with a colon are followed by what is the matter. */
export const unsendable = {
  domainRemoved: removedText,
  domainUnverified: notVerifiedText,
  billingLimit: 'billing limit exceeded',
  dailyLimit: 'daily limit of a new project exceeded',
  storageLimit: storageReason,
  notCreated: 'The message could not be created: ',
  notRead: 'The email could not be read: ',
} as const;

export type Unsendable = keyof typeof unsendable;

/** Why an email could not be handed over; null for any other error. */
export const unsendableBy = (error: string): Unsendable | null =>
  (Object.keys(unsendable) as Unsendable[]).find((key) => error.startsWith(unsendable[key])) ?? null;
