import { newId } from '../../base/lib/index.ts';
import type { TestProject, TestServices } from '../../testing/index.ts';
import { createCampaign } from './create-campaign.ts';
import { freezeAudience } from './freeze-audience.ts';
import { sendCampaign } from './send-campaign.ts';

export const content = {
  name: 'Spring',
  subject: 'Hello {{first ?? you}}',
  body: '<p>Hi {{first ?? you}}</p>',
  from: 'team@shop.test',
};

/** A filter over one key of the contacts' data. */
export const having = (key: string, value: string) => ({
  logic: 'AND',
  groups: [{ filters: [{ field: `data.${key}`, operator: 'equals', value }] }],
});

/** No Temporal server answers signals in these tests, so waiting would only cost time. */
export function withoutHints(test: TestServices): TestServices {
  Object.assign(test.services.workflows, { signal: async () => undefined, signalDebounced: () => undefined });
  return test;
}

interface Person {
  subscribed?: boolean;
  data?: Record<string, string>;
  email?: string;
}

/** Inserts contacts. @returns their ids */
export async function people(
  { services }: TestServices,
  project: TestProject,
  count: number,
  { subscribed = true, data = {}, email }: Person = {},
): Promise<string[]> {
  const rows = Array.from({ length: count }, () => {
    const id = newId();
    const agreed = subscribed ? { consentBasis: 'given' as const } : {};
    return { id, projectId: project.id, email: email ?? `${id}@people.test`, subscribed, data, ...agreed };
  });
  await services.database.prisma.contact.createMany({ data: rows });
  return rows.map(({ id }) => id);
}

/** A campaign whose audience is frozen: every email waits. */
export async function frozenCampaign(
  test: TestServices,
  project: TestProject,
  input: object = {},
): Promise<string> {
  const { id } = await createCampaign.run(project.ctx, { ...content, audienceType: 'ALL', ...input });
  await sendCampaign.run(project.ctx, { id });
  await freezeAudience(test.services, id);
  return id;
}

/** Settles a number of waiting emails of the campaign with this outcome, as a delivery worker would; the first ones by their ids or addresses. */
export async function settleSome(
  { services }: TestServices,
  campaignId: string,
  status: 'SENT' | 'FAILED' | 'UNCERTAIN',
  count: number,
  by: 'id' | 'to' = 'id',
): Promise<string[]> {
  const { prisma } = services.database;
  const rows = await prisma.email.findMany({
    where: { campaignId, status: 'PENDING', batchId: { not: null } },
    take: count,
    orderBy: { [by]: 'asc' },
  });
  const ids = rows.map(({ id }) => id);
  const now = new Date();
  await prisma.email.updateMany({
    where: { id: { in: ids } },
    data: {
      status,
      batchId: null,
      updatedAt: now,
      ...(status === 'SENT' ? { sentAt: now } : { error: 'refused' }),
    },
  });
  await prisma.$executeRaw`
    DELETE FROM "DeliveryBatch" b WHERE "campaignId" = ${campaignId}::uuid
      AND NOT EXISTS (SELECT FROM "Email" e WHERE e."id" = ANY(b."emailIds") AND e."batchId" = b."id")`;
  const counter = { SENT: 'sentCount', FAILED: 'failedCount', UNCERTAIN: 'uncertainCount' }[status];
  await prisma.campaignCounter.update({
    where: { campaignId },
    data: { [counter]: { increment: ids.length } },
  });
  return ids;
}
