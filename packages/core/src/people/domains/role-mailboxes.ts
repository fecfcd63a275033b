import type { Services } from '../../base/kernel/index.ts';
import { envelopeHostOf } from '../../base/providers/index.ts';
import { recordKey } from './check-records.ts';
import { noteKeptDays } from './domain-notes.schema.ts';
import {
  findNotes,
  findReceivingDomains,
  type NewNote,
  removeNotes,
  storeNote,
} from './domain-notes.store.ts';

/** The domains of this name that receive mail at `bounces.<domain>`, one for each project that has it (behaviour B11.7). */
export const receivingDomains = (
  { database }: Pick<Services, 'database'>,
  domain: string,
): Promise<string[]> =>
  findReceivingDomains(database.durable, domain, recordKey({ type: 'MX', name: envelopeHostOf(domain) }));

/** Keeps a letter to the postmaster, abuse or feedback address of domains, or of the installation, once. It is on disk afterwards. */
export async function keepNote(
  { database }: Pick<Services, 'database'>,
  domainIds: readonly (string | null)[],
  note: Omit<NewNote, 'domainId'>,
): Promise<void> {
  for (const domainId of domainIds) await storeNote(database.durable, { ...note, domainId });
}

/** Letters to the addresses of the installation, newest first. */
export const operatorNotes = ({ database }: Pick<Services, 'database'>) =>
  findNotes(database.prisma, null, null, 50);

/** Removes a batch of letters that are 30 days old. @returns how many */
export const sweepDomainNotes = (
  { database }: Pick<Services, 'database'>,
  now: Date,
  limit: number,
): Promise<number> =>
  removeNotes(database.prisma, new Date(now.getTime() - noteKeptDays * 86_400_000), limit);
