import type { Attack } from './attack.ts';
import { bodies } from './bodies.ts';
import { files } from './files.ts';
import { forgeries } from './forgeries.ts';
import { invitations } from './invitations.ts';
import { reports } from './reports.ts';
import { storage } from './storage.ts';
import { streamEnds } from './stream-ends.ts';
import { streams } from './streams.ts';
import { submissions } from './submissions.ts';
import { unproven } from './unproven.ts';

/** The attacks, one after the other. A new one is a file beside these and a line here. */
export const attacks: readonly Attack[] = [
  submissions,
  reports,
  files,
  forgeries,
  streams,
  streamEnds,
  bodies,
  invitations,
  unproven,
  storage,
];
