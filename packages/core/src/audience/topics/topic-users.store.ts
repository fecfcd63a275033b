import type { Db } from '../../base/db/index.ts';
import { findReferences, isUsed, type Referrer, stillUsed } from '../../base/references/index.ts';
import type { TopicRow } from './topics.store.ts';

/** Waiting emails that are named. */
const mostEmails = 5;

/**
 * Refuses what would leave something without its topic: a template, an open campaign, an enabled form, a filter, a step of a workflow or
 * waiting email (behaviour B12.2 "in use").
 *
 * @throws AppError CONFLICT that names what uses it
 */
export async function assertTopicNotUsed(
  db: Db,
  topic: Pick<TopicRow, 'id' | 'projectId' | 'key' | 'number'>,
): Promise<void> {
  const { projectId } = topic;
  const read = await findReferences(db, projectId, [`topic.${topic.key}`]);
  const users = {
    templates: await templatesOf(db, topic),
    segments: read.segments,
    campaigns: [
      ...new Map(
        [...read.campaigns, ...(await campaignsOf(db, topic))].map((each) => [each.id, each]),
      ).values(),
    ],
    workflows: read.workflows,
    forms: await formsOf(db, topic),
    emails: await waitingEmailsOf(db, topic),
  };
  if (isUsed(users)) throw stillUsed('This topic is in use', users);
}

const byName = [{ name: 'asc' }, { id: 'asc' }] as const;
const named = { id: true, name: true } as const;

type Topic = Pick<TopicRow, 'id' | 'projectId' | 'number'>;

const templatesOf = (db: Db, { id: topicId, projectId }: Topic): Promise<Referrer[]> =>
  db.template.findMany({ where: { projectId, topicId }, select: named, orderBy: [...byName] });

const campaignsOf = (db: Db, { id: topicId, projectId }: Topic): Promise<Referrer[]> =>
  db.campaign.findMany({
    where: { projectId, topicId, status: { in: ['DRAFT', 'SCHEDULED', 'SENDING'] } },
    select: { ...named, status: true },
    orderBy: [...byName],
  });

const formsOf = (db: Db, { number, projectId }: Topic): Promise<Referrer[]> =>
  db.form.findMany({
    where: { projectId, topics: { has: number }, enabled: true, deletedAt: null },
    select: named,
    orderBy: [...byName],
  });

/** All emails of a batch have one content, so the first tells whether it is one of the topic. */
const waitingEmailsOf = (db: Db, { id, projectId }: Topic): Promise<Referrer[]> => db.$queryRaw`
  WITH "content" AS MATERIALIZED (SELECT "id" FROM "Content" WHERE "topicId" = ${id}::uuid AND "projectId" = ${projectId}::uuid)
  SELECT e."id", e."to" AS "name" FROM "DeliveryBatch" b
  CROSS JOIN LATERAL (SELECT "id", "to", "contentId" FROM "Email" WHERE "id" = b."emailIds"[1] OFFSET 0) e
  WHERE EXISTS (SELECT FROM "content") AND b."projectId" = ${projectId}::uuid AND e."contentId" IN (SELECT "id" FROM "content")
  ORDER BY e."id" LIMIT ${mostEmails}::int`;
