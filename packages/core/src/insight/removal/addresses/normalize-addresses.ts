import { type Db, isDuplicate, retryConflicts } from '../../../base/db/index.ts';
import { normalizeAddress, type Services } from '../../../base/kernel/index.ts';
import { mergeContacts } from './merge-contacts.store.ts';
import {
  type AddressPart,
  currentPass,
  pageOf,
  type Rewrite,
  rewriteContacts,
  rewriteEmails,
  rewriteInvitation,
  rewriteSuppressions,
  rewriteUser,
  type StoredAddress,
  savePass,
} from './rewrite.store.ts';

/** For how long one call goes on before it reports. */
const callMs = 10_000;
/** Attempts to merge contacts while others get their address. */
const attempts = 5;

interface Done {
  rewritten: number;
  merged: number;
}

/** Whether addresses of earlier versions are left. */
export const hasAddressesToNormalize = async ({ database }: Pick<Services, 'database'>): Promise<boolean> =>
  (await currentPass(database.prisma)) !== null;

/**
 * Gives stored addresses their normal form (behaviour B1.1), in transactions of at most 1,000 rows; what has no normal form stays. A call that is
 * lost is repeated from the last position: rows that were rewritten are found in their form.
 *
 * @returns whether there is more to do
 */
export async function normalizeAddresses(services: Services, forMs = callMs): Promise<boolean> {
  const { prisma } = services.database;
  const endsAt = performance.now() + forMs;
  for (;;) {
    const pass = await currentPass(prisma);
    if (!pass) return false;
    const { rows, next } = await pageOf(prisma, pass.part, pass.position);
    const done = await rewrite(services, pass.part, rewritesOf(rows));
    await savePass(prisma, pass.part, next, done);
    if (performance.now() > endsAt) return true;
  }
}

/** The rows whose address has a normal form that differs. */
export const rewritesOf = (rows: readonly StoredAddress[]): Rewrite[] =>
  rows.flatMap(({ key, projectId, address }) => {
    const to = normalizeAddress(address);
    return to === null || to === address ? [] : [{ key, projectId: projectId ?? key, from: address, to }];
  });

async function rewrite(services: Services, part: AddressPart, rewrites: readonly Rewrite[]): Promise<Done> {
  if (rewrites.length === 0) return { rewritten: 0, merged: 0 };
  const statement = (work: (db: Db) => Promise<number>): Promise<Done> =>
    inTransaction(services, async (db) => ({ rewritten: await work(db), merged: 0 }));
  switch (part) {
    case 'suppression':
      return statement((db) => rewriteSuppressions(db, rewrites));
    case 'contact':
      return rewriteAllContacts(services, rewrites);
    case 'email':
      return statement((db) => rewriteEmails(db, rewrites));
    case 'user':
    case 'invitation':
      return oneByOne(services, part === 'user' ? rewriteUser : rewriteInvitation, rewrites);
  }
}

const inTransaction = <Result>(services: Services, work: (db: Db) => Promise<Result>): Promise<Result> =>
  retryConflicts(() => services.database.prisma.$transaction(work, { maxWait: 10_000, timeout: 60_000 }));

/** Most have no double and get their form at once. */
async function rewriteAllContacts(services: Services, rewrites: readonly Rewrite[]): Promise<Done> {
  const groups = Map.groupBy(rewrites, ({ projectId, to }) => `${projectId} ${to}`);
  const single = [...groups.values()].flatMap(([first, ...others]) =>
    first && others.length === 0 ? [first] : [],
  );
  const hashes = single.map(({ projectId, to }) =>
    services.secrets.addressHash(projectId, to).toString('hex'),
  );
  const ready = new Set<string>();
  try {
    const rows = await inTransaction(services, (db) => rewriteContacts(db, single, hashes));
    for (const { id } of rows) ready.add(id);
  } catch (error) {
    // Another contact has got one of these addresses at this moment: one by one, then.
    if (!isDuplicate(error)) throw error;
  }
  const done: Done = { rewritten: ready.size, merged: 0 };
  for (const group of groups.values()) {
    if (group.every(({ key }) => ready.has(key))) continue;
    const { rewritten, merged } = await mergeGroup(services, group);
    done.rewritten += rewritten;
    done.merged += merged;
  }
  return done;
}

async function mergeGroup(services: Services, group: readonly Rewrite[]): Promise<Done> {
  const [{ projectId, to } = { projectId: '', to: '' }] = group;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await inTransaction(services, (db) =>
        mergeContacts(db, services.secrets, projectId, to, [to, ...group.map(({ from }) => from)]),
      );
    } catch (error) {
      if (!isDuplicate(error) || attempt === attempts) throw error;
    }
  }
}

/** Accounts and invitations are few. One whose address another one has keeps its own. */
async function oneByOne(
  services: Services,
  write: (db: Db, id: string, from: string, to: string) => Promise<number>,
  rewrites: readonly Rewrite[],
): Promise<Done> {
  let rewritten = 0;
  for (const { key, from, to } of rewrites) {
    try {
      rewritten += await write(services.database.prisma, key, from, to);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
  return { rewritten, merged: 0 };
}
