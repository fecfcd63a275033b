export { getEmailSource } from './get-email-source.ts';
export { readOnThread } from './read-on-thread.ts';
export {
  mostSubmissionRecipients,
  submissionLabel,
  submitMessage,
} from './submit-message.ts';
export { findSubmittedEmails } from './submitted.store.ts';
