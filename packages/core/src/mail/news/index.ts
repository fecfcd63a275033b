export { applyDeliveryNews, applyOnce } from './apply-news.ts';
export type { ReportClass } from './classify-report.rules.ts';
export { findReportedEmails, forgetNotices } from './news.store.ts';
export { isOfFeedbackService, needsProof, proveReport } from './prove-report.ts';
export { readReceived } from './read-received.ts';
export { findReportedEmail, receiveReport } from './receive-report.ts';
export { ReportSources } from './report-sources.ts';
export {
  findReturnedEmail,
  findRoleMailbox,
  isReportTo,
  keepLetter,
  type RoleMailbox,
} from './role-mail.ts';
