import type { Attack } from './attack.ts';
import { reports } from './reports.ts';
import { submissions } from './submissions.ts';

/** The attacks, one after the other. A new one is a file beside these and a line here. */
export const attacks: readonly Attack[] = [submissions, reports];
