export { applyDeliveryNews, applyOnce } from './apply-news.ts';
export { findReportedEmails, forgetNotices } from './news.store.ts';
export { needsProof, proveReport } from './prove-report.ts';
export { readReceived } from './read-received.ts';
export { findReportedEmail, receiveReport } from './receive-report.ts';
export { ReportSources } from './report-sources.ts';
