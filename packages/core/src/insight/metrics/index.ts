export { watchDatabase } from './watch-database.ts';
export { watchFindings } from './watch-findings.ts';
