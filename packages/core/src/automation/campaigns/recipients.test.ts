import { afterAll, beforeAll, expect, it } from 'vitest';
import { findRecipients, type RecipientType } from '../../mail/sending/index.ts';
import {
  createTestProject,
  createTestServices,
  type TestServices,
  verifiedDomain,
} from '../../testing/index.ts';
import { frozenCampaign, people, withoutHints } from './campaigns.fixture.ts';

let test: TestServices;

beforeAll(async () => {
  test = withoutHints(await createTestServices());
});
afterAll(() => test.close());

const prisma = () => test.services.database.prisma;

/** Numbers from 0 to below `most`, the same in every run. */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
}

const timeOf = {
  SENT: 'sentAt',
  DELIVERED: 'deliveredAt',
  OPENED: 'openedAt',
  CLICKED: 'clickedAt',
  BOUNCED: 'bouncedAt',
  COMPLAINED: 'complainedAt',
} as const;

type Stored = Awaited<ReturnType<ReturnType<typeof prisma>['email']['findMany']>>[number];

/** When an email got into a state, by its row; null when it did not. */
function reachedAt(email: Stored, status: string): Date | null {
  if (status in timeOf) return email[timeOf[status as keyof typeof timeOf]];
  return email.status === status ? email.updatedAt : null;
}

it('lists each recipient of a type once, latest first, whatever happened to it in which order', async () => {
  const project = await createTestProject(test.services);
  await verifiedDomain(test.services, project.id, 'shop.test');
  await prisma().project.update({ where: { id: project.id }, data: { sendRate: 20 } });
  await people(test, project, 120);
  await people(test, project, 1, { email: 'broken' });
  const campaignId = await frozenCampaign(test, project);
  const ids = (await prisma().email.findMany({ where: { campaignId } })).map(({ id }) => id);

  const random = numbers(7);
  const begin = Date.now();
  for (let step = 0; step < 150; step += 1) {
    const some = ids.filter(() => random(12) === 0);
    // Few different times, so that many are equal.
    const at = new Date(begin + random(40) * 100);
    const [status = 'SENT', column] = Object.entries(timeOf)[random(6)] ?? [];
    const where = { id: { in: some } };
    if (random(3) === 0) {
      const state = (['PENDING', 'FAILED', 'SKIPPED', 'UNCERTAIN'] as const)[random(4)] ?? 'PENDING';
      await prisma().email.updateMany({ where, data: { status: state, sentAt: null, updatedAt: at } });
    } else if (column) {
      const data = { status: status as keyof typeof timeOf, [column]: at, updatedAt: at };
      await prisma().email.updateMany({ where, data: { ...data, sentAt: at } });
    }
  }

  const rows = await prisma().email.findMany({ where: { campaignId } });
  const types = [...Object.keys(timeOf), 'FAILED', 'SKIPPED', 'UNCERTAIN'];
  for (const type of [undefined, ...types]) {
    const expected = rows
      .flatMap((email) => {
        const at = reachedAt(email, type ?? email.status);
        return at ? [{ id: email.id, at: at.toISOString() }] : [];
      })
      .toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1));
    const found: typeof expected = [];
    for (let after: { value: string; id: string } | null = null; ; ) {
      const page: Awaited<ReturnType<typeof findRecipients>> = await findRecipients(prisma(), {
        projectId: project.id,
        campaignId,
        type: type?.toLowerCase() as RecipientType | undefined,
        hasPending: true,
        after,
        limit: 9,
      });
      found.push(...page.map(({ id, occurredAt }) => ({ id, at: occurredAt.toISOString() })));
      const last = found.at(-1);
      if (page.length < 9 || !last) break;
      after = { value: last.at, id: last.id };
    }
    expect([type, found]).toEqual([type, expected]);
  }
});
