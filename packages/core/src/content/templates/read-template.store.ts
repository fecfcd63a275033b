import {
  type Database,
  type EmailClass,
  GroupCommit,
  type Outcome,
  Prisma,
  prepared,
} from '../../base/db/index.ts';
import { type Services, tooManyWaiting } from '../../base/kernel/index.ts';
import { BoundedCache } from '../../base/lib/index.ts';
import { bytesOfTexts } from './stored-bytes.rules.ts';
import { isTemplateId } from './template-reference.schema.ts';

/** What an email takes from a stored template. */
export interface SendableTemplate {
  id: string;
  subject: string;
  preheader: string | null;
  body: string;
  text: string | null;
  from: string;
  fromName: string | null;
  replyTo: string | null;
  type: EmailClass;
  topicId: string | null;
}

interface TemplateQuery {
  projectId: string;
  reference: string;
}

/** A template that this process has read before, and the version of its row. */
interface Known {
  stamp: string;
  template: SendableTemplate;
  bytes: number;
}

/** `template` is null when the row is the known one. */
interface ReadRow {
  k: number;
  stamp: string;
  template: SendableTemplate | null;
}

const mebibyte = 1_048_576;
/** A template that is not known yet counts as one of this size, so that a group brings no more than some megabytes at once. */
const unknownBytes = mebibyte;

const columns = Prisma.sql`json_build_object('id', t."id", 'subject', t."subject", 'preheader', t."preheader", 'body', t."body", 'text', t."text",
    'from', t."from", 'fromName', t."fromName", 'replyTo', t."replyTo", 'type', t."type",
    'topicId', t."topicId")`;

/*
 * A row that was changed has another transaction in `xmin`, and lies at another place. The texts of a template that the asking process
 * knows are not read from the table, let alone sent.
 */
const read = prepared<{ asked: string }>(
  'read-templates',
  ({ asked }) => Prisma.sql`
  SELECT a."k", found.* FROM jsonb_to_recordset(${asked}::jsonb) AS a("k" int, "project" uuid, "id" uuid, "alias" text, "stamp" text)
  CROSS JOIN LATERAL (
    SELECT s."stamp", CASE WHEN s."stamp" IS DISTINCT FROM a."stamp" THEN ${columns} END AS "template"
    FROM "Template" t, LATERAL (SELECT t.xmin::text || t.ctid::text AS "stamp") s
    WHERE a."id" IS NOT NULL AND t."id" = a."id" AND t."projectId" = a."project"
    UNION ALL
    SELECT s."stamp", CASE WHEN s."stamp" IS DISTINCT FROM a."stamp" THEN ${columns} END
    FROM "Template" t, LATERAL (SELECT t.xmin::text || t.ctid::text AS "stamp") s
    WHERE a."alias" IS NOT NULL AND t."projectId" = a."project" AND t."alias" = a."alias"
  ) found`,
);

interface Reading {
  group: GroupCommit<TemplateQuery, SendableTemplate | null>;
  known: BoundedCache<string, Known>;
}

const readings = new WeakMap<Database, Reading>();

/**
 * The template that a send names, as it is when this is called: requests that arrive while a statement runs share the next one, which
 * brings only what this process does not know yet.
 *
 * @param query.reference id or alias
 */
export const readTemplate = (
  services: Pick<Services, 'database' | 'owners'>,
  query: TemplateQuery,
): Promise<SendableTemplate | null> => readingOf(services).group.add(query);

function readingOf({ database, owners }: Pick<Services, 'database' | 'owners'>): Reading {
  const existing = readings.get(database);
  if (existing) return existing;
  const known = new BoundedCache<string, Known>({ count: 1_000, bytes: 16 * mebibyte }, ({ bytes }) => bytes);
  const reading: Reading = {
    known,
    group: new GroupCommit({
      name: 'templates',
      owners,
      perOwner: { count: 2_000, weight: Number.POSITIVE_INFINITY },
      total: { count: 10_000, weight: Number.POSITIVE_INFINITY },
      group: { count: 250, weight: 16 * mebibyte },
      placeOf: (query) => ({
        owner: query.projectId,
        weight: known.get(nameOf(query)) ? 1 : unknownBytes,
        locks: [],
      }),
      together: (queries) => readTogether(database, known, queries),
      overloaded: tooManyWaiting,
    }),
  };
  readings.set(database, reading);
  return reading;
}

const nameOf = ({ projectId, reference }: TemplateQuery): string => `${projectId}/${reference}`;

async function readTogether(
  database: Database,
  known: Reading['known'],
  queries: readonly TemplateQuery[],
): Promise<Outcome<SendableTemplate | null>[]> {
  const byName = new Map(queries.map((query) => [nameOf(query), query]));
  const asked = [...byName].map(([name, query]) => ({ name, query, before: known.get(name) }));
  const { rows } = await database.grouped.query<ReadRow>(
    read({
      asked: JSON.stringify(
        asked.map(({ query: { projectId, reference }, before }, k) => ({
          k,
          project: projectId,
          ...(isTemplateId(reference) ? { id: reference } : { alias: reference }),
          stamp: before?.stamp,
        })),
      ),
    }),
  );
  const byPlace = new Map(rows.map((row) => [row.k, row]));
  const answers = new Map<string, SendableTemplate | null>();
  for (const [k, { name, before }] of asked.entries()) {
    const row = byPlace.get(k);
    const template = row ? (row.template ?? before?.template ?? null) : null;
    answers.set(name, template);
    if (!row || !template) known.delete(name);
    else if (row.template) known.set(name, { stamp: row.stamp, template, bytes: bytesOfTexts(template) });
  }
  return queries.map((query) => ({ answer: answers.get(nameOf(query)) ?? null }));
}
