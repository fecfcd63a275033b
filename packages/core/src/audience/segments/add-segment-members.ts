import {
  type CommandContext,
  command,
  conflict,
  normalizeAddress,
  projectIdOf,
  suggestions,
} from '../../base/kernel/index.ts';
import { sayingOf } from '../consent/index.ts';
import {
  awaitErasures,
  type ContactChange,
  prepareChanges,
  recallFormerSpellings,
  toUpsertInput,
} from '../contacts/index.ts';
import { enter, touchDependents } from './membership.store.ts';
import { segmentNotFound } from './segment-not-found.ts';
import { addedMembers, addMembersInput } from './segments.schema.ts';
import {
  countMembers,
  createContacts,
  findByAddress,
  lockSegment,
  type SegmentRow,
  writeCount,
} from './segments.store.ts';

export const addSegmentMembers = command({
  name: 'segments.addMembers',
  summary: 'Adds contacts to a static segment',
  permission: 'data:write',
  risk: 'events',
  errors: ['SEGMENT_NOT_FOUND', 'CONFLICT'],
  input: addMembersInput,
  output: addedMembers,
  async handler(ctx, { id, emails, createMissing = false, subscribed }) {
    const segment = await lockStatic(ctx, id);
    const addresses = addressesOf(emails);
    const known = await findByAddress(ctx.db, segment.projectId, addresses);
    const missing = addresses.filter((address) => !known.some(({ email }) => email === address));
    const made = createMissing ? await create(ctx, segment.projectId, missing, subscribed) : [];
    const members = new Map([...known, ...made].map((contact) => [contact.email, contact.id]));
    const change = await enter(ctx.db, segment, [...members.values()]);
    await settle(ctx, segment, change);
    return {
      added: members.size,
      created: made.filter(({ isNew }) => isNew).length,
      notFound: [...new Set(emails)].filter((email) => !members.has(normalizeAddress(email) ?? '')),
    };
  },
});

/** Well-formed addresses, each once. */
const addressesOf = (emails: readonly string[]): string[] => [
  ...new Set(emails.map(normalizeAddress).filter((address) => address !== null)),
];

/** @throws AppError SEGMENT_NOT_FOUND, or CONFLICT for a segment whose members its condition decides */
export async function lockStatic(ctx: CommandContext, id: string): Promise<SegmentRow> {
  // Members are written for contacts that were read without a lock.
  await awaitErasures(ctx.db, projectIdOf(ctx));
  const segment = await lockSegment(ctx.db, projectIdOf(ctx), id);
  if (!segment) throw segmentNotFound();
  if (segment.type === 'STATIC') return segment;
  throw conflict('The members of a dynamic segment are determined by its condition', {
    suggestion: suggestions.CONFLICT.dynamicSegment,
  });
}

/** The count follows at once, and so does what reads this segment. */
export async function settle(
  ctx: CommandContext,
  segment: SegmentRow,
  change: { added: number; removed: number },
): Promise<void> {
  await writeCount(ctx.db, segment, await countMembers(ctx.db, segment.projectId, segment.id));
  await touchDependents(ctx.db, segment, change);
  ctx.audit({ targetType: 'segment', targetId: segment.id, changed: ['members'] });
}

async function create(
  ctx: CommandContext,
  projectId: string,
  addresses: readonly string[],
  subscribed: boolean | undefined,
): Promise<{ id: string; email: string; isNew: boolean }[]> {
  if (addresses.length === 0) return [];
  await recallFormerSpellings(ctx.db, ctx.services.secrets, projectId, addresses);
  // An explicit true is a new consent; otherwise a contact that is created concurrently keeps its subscription.
  const changes: ContactChange[] = addresses.map((email) => ({
    email,
    subscribed: subscribed === true ? true : null,
    set: {},
    unset: [],
  }));
  const byDefault = subscribed ?? true;
  const prepared = prepareChanges(ctx.services.secrets, projectId, changes, byDefault, sayingOf(ctx));
  const input = toUpsertInput(
    prepared.map((each) => ({ ...each, ...(subscribed === false && { ifNew: false }) })),
  );
  return createContacts(ctx.db, projectId, input, byDefault);
}
