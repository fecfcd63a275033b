import { constant, type Db, Prisma } from '../../base/db/index.ts';

/** Records that `node` finds, by the names of their GraphQL types. */
export const nodeTypes = [
  'Contact',
  'Template',
  'Campaign',
  'Segment',
  'Workflow',
  'Execution',
  'Email',
  'Event',
  'Domain',
  'WebhookEndpoint',
  'WebhookDelivery',
  'SavedBlock',
] as const;
export type NodeType = (typeof nodeTypes)[number];

interface Place {
  table: string;
  /** the record whose id its operation needs, too */
  parent?: string;
  /** which rows are records; default: all */
  where?: Prisma.Sql;
}

const places: Record<NodeType, Place> = {
  Contact: { table: 'Contact' },
  Template: { table: 'Template' },
  Campaign: { table: 'Campaign' },
  Segment: { table: 'Segment' },
  Workflow: { table: 'Workflow' },
  Execution: { table: 'WorkflowExecution', parent: 'workflowId' },
  Email: { table: 'Email', where: Prisma.sql`"sourceType" <> 'SYSTEM'` },
  Event: { table: 'Event', where: Prisma.sql`"kind" <> 'ACTIVITY'` },
  Domain: { table: 'Domain' },
  WebhookEndpoint: { table: 'WebhookEndpoint' },
  WebhookDelivery: { table: 'WebhookDelivery', parent: 'endpointId' },
  SavedBlock: { table: 'SavedBlock' },
};

export interface FoundNode {
  id: string;
  type: NodeType;
  parentId: string | null;
}

/** The types of those ids that the project has a record of, by the primary keys of all tables in one statement. */
export async function findTypes(db: Db, projectId: string, ids: readonly string[]): Promise<FoundNode[]> {
  if (ids.length === 0) return [];
  const found = nodeTypes.map((type) => {
    const { table, parent, where } = places[type];
    return Prisma.sql`
      SELECT "id"::text, ${constant(`'${type}'`)} AS "type", ${constant(parent ? `"${parent}"::text` : 'NULL')} AS "parentId"
      FROM ${constant(`"${table}"`)} WHERE "id" IN (SELECT "id" FROM "given") AND "projectId" = ${projectId}::uuid
      ${where ? Prisma.sql`AND ${where}` : Prisma.empty}`;
  });
  return db.$queryRaw<FoundNode[]>`
    WITH "given" AS MATERIALIZED (SELECT unnest(${[...ids]}::uuid[]) AS "id")
    ${Prisma.join(found, ' UNION ALL ')}`;
}
