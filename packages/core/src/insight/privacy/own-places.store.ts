import { forgetContacts } from '../../audience/consent/index.ts';
import {
  addRemoved,
  eraseContacts,
  eraseEmailsTo,
  eraseTraces,
  type RemovedRows,
} from '../../audience/contacts/index.ts';
import { type Db, Prisma } from '../../base/db/index.ts';
import type { Services } from '../../base/kernel/index.ts';
import { type After, mentions, type Sought, without } from './mentions.store.ts';
import { idColumns } from './places.rules.ts';

export interface Kept {
  record: string;
  why: string;
}

/** What a visit of a place did. */
export interface Visit {
  /** where the next visit goes on; null at the end of the place */
  after: After;
  removed: RemovedRows;
  /** rows that hold something of the person, and cannot be treated yet */
  left: number;
  kept: Kept[];
  /** campaigns with waiting email that was skipped */
  campaignIds: string[];
}

export interface Erasing extends Sought {
  id: string;
  address: string;
  /** contacts that had the address */
  contactIds: readonly string[];
}

/** A place that is treated by statements of its own. */
export interface OwnPlace {
  name: string;
  visit(db: Db, erasing: Erasing, services: Services, after: After): Promise<Visit>;
}

const nothing: Visit = { after: null, removed: {}, left: 0, kept: [], campaignIds: [] };
/** Any text: the place is visited again. */
const again: After = ['again'];

const emailsAtOnce = 500;

/** The contact, what was written about it since it was deleted, and email that went to the address without it. */
const person: OwnPlace = {
  name: 'person',
  async visit(db, erasing, { secrets }) {
    const { id, projectId, address, spellings, before, contactIds } = erasing;
    const found = await db.contact.findMany({
      where: { projectId, email: { in: spellings.addresses }, createdAt: { lte: before } },
      select: { id: true },
    });
    const present = [...contactIds, ...found.map((contact) => contact.id)];
    // Contacts that became part of them: their acts have their own ids.
    const former = await db.mergedContact.findMany({
      where: { projectId, contactId: { in: present } },
      select: { id: true },
    });
    const ids = [...new Set([...present, ...former.map((contact) => contact.id)])];
    const erased = await eraseContacts(db, secrets, projectId, ids);
    const traces = await eraseTraces(db, projectId, ids);
    const people = ids.map((contactId) => ({ id: contactId, email: address }));
    const consent = await forgetContacts(db, secrets, projectId, people);
    // From now on their links are found as those of erased contacts.
    await db.mergedContact.deleteMany({ where: { projectId, contactId: { in: ids } } });
    const emails = await eraseEmailsTo(db, projectId, {
      addresses: spellings.addresses,
      before,
      limit: emailsAtOnce,
    });
    if (ids.length > contactIds.length)
      await db.erasure.updateMany({ where: { id }, data: { contactIds: ids } });
    return {
      ...nothing,
      after: (emails.removed.emails ?? 0) < emailsAtOnce ? null : again,
      removed: [erased.removed, traces.removed, { ...consent }, emails.removed].reduce(addRemoved, {}),
      campaignIds: [...erased.campaignIds, ...traces.campaignIds, ...emails.campaignIds],
    };
  },
};

const chunksAtOnce = 20;

/** Files of the project from before, which may be about everybody: exports end, and dry runs of imports have to be made again. */
const files: OwnPlace = {
  name: 'files',
  async visit(db, { projectId, before }) {
    await db.$executeRaw`
      UPDATE "Job" SET "state" = 'failed', "completedAt" = coalesce("completedAt", now()),
        "failedReason" = 'The files of this project were removed when a person was erased. Start it again'
      WHERE "projectId" = ${projectId}::uuid AND "kind" IN ('export', 'privacy-export') AND "state" <> 'failed' AND "createdAt" <= ${before}`;
    const jobs = await db.$queryRaw<{ id: string }[]>`
      SELECT "id" FROM "Job" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before}`;
    const ids = jobs.map(({ id }) => id);
    const exportFiles = await db.$executeRaw`
      DELETE FROM "ExportChunk" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "ExportChunk" WHERE "jobId" = ANY(${ids}::uuid[]) LIMIT ${chunksAtOnce}::int))`;
    const importFiles = await db.$executeRaw`
      DELETE FROM "ImportFailedRows" WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM "ImportFailedRows" WHERE "jobId" = ANY(${ids}::uuid[]) LIMIT ${chunksAtOnce}::int))`;
    const dryRuns = await db.$executeRaw`
      DELETE FROM "JobFile" f USING "Job" j
      WHERE j."projectId" = ${projectId}::uuid AND j."id" = f."jobId" AND j."createdAt" <= ${before} AND j."state" IN ('completed', 'failed')`;
    const isDone = exportFiles < chunksAtOnce && importFiles < chunksAtOnce;
    const removed = { exportFiles, importFiles: importFiles + dryRuns };
    return { ...nothing, after: isDone ? null : again, removed: addRemoved({}, removed) };
  },
};

/** Letters to the addresses of the project's domains, and to the operator's where they came without one, are not stored under a project. */
const letters: OwnPlace = {
  name: 'letters',
  async visit(db, { projectId, spellings, before }) {
    const mentioned = ['from', 'subject', 'text'].map((each) =>
      mentions(Prisma.raw(`n."${each}"`), 'text', spellings),
    );
    const count = await db.$executeRaw`
      DELETE FROM "DomainNote" n USING "Domain" d
      WHERE d."projectId" = ${projectId}::uuid AND n."domainId" = d."id" AND n."at" <= ${before} AND (${Prisma.join(mentioned, ' OR ')})`;
    return { ...nothing, removed: addRemoved({}, { letters: count }) };
  },
};

const contentsAtOnce = 500;
/** In days, as in the erasure of contacts: until then a request may share a text (decision 003). */
const shared = 8;

const textsOfContent = {
  subject: 'text',
  preheader: 'text',
  body: 'text',
  text: 'text',
  headers: 'json',
  attachments: 'json',
  raw: 'json',
  links: 'json',
} as const;

interface ContentPage {
  seen: number;
  last: string | null;
  changed: number;
  left: number;
  kept: number;
}

/**
 * Texts that name the person. Those that nobody else got wait for the sweep; what others got as well, and what campaigns say, is theirs. Of a text that
 * is cleared, links are left, from which the address is removed.
 */
const contents: OwnPlace = {
  name: 'contents',
  async visit(db, { projectId, spellings, before }, _services, after) {
    const mentioned = Object.entries(textsOfContent).map(([each, form]) =>
      mentions(Prisma.raw(`t."${each}"`), form, spellings),
    );
    const later = after === null ? Prisma.empty : Prisma.sql`AND "hash" > decode(${after[0]}::text, 'hex')`;
    const [page] = await db.$queryRaw<ContentPage[]>`
      WITH "page" AS MATERIALIZED (
        SELECT "id", "hash" FROM "Content" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} ${later}
        ORDER BY "hash" LIMIT ${contentsAtOnce}::int
      ), "hits" AS MATERIALIZED (
        SELECT t."id", t."eraseAt" IS NOT NULL AS "isMarked", t."subject" = '' AND t."body" IS NULL AS "isCleared",
          t."sourceType" = 'CAMPAIGN' OR EXISTS (
            SELECT FROM "Email" e WHERE e."contentId" = t."id" AND e."contentClearedAt" IS NULL) AS "isNeeded"
        FROM "page" p JOIN "Content" t ON t."id" = p."id" WHERE ${Prisma.join(mentioned, ' OR ')} ORDER BY t."id" FOR UPDATE OF t
      ), "cleaned" AS (
        UPDATE "Content" t SET "links" = ${without(Prisma.raw('t."links"'), 'json', spellings)}, "attachments" = '[]', "headers" = '{}'
        FROM "hits" h WHERE t."id" = h."id" AND h."isCleared" AND NOT h."isMarked" RETURNING 1
      ), "marked" AS (
        UPDATE "Content" t SET "eraseAt" = t."createdAt" + ${shared}::int * interval '1 day'
        FROM "hits" h WHERE t."id" = h."id" AND NOT h."isCleared" AND NOT h."isMarked" AND NOT h."isNeeded" RETURNING 1
      )
      SELECT (SELECT count(*) FROM "page")::int AS "seen", (SELECT encode("hash", 'hex') FROM "page" ORDER BY "hash" DESC LIMIT 1) AS "last",
        (SELECT count(*) FROM "cleaned")::int AS "changed",
        (SELECT count(*) FROM "hits" WHERE "isMarked")::int + (SELECT count(*) FROM "marked")::int AS "left",
        (SELECT count(*) FROM "hits" WHERE NOT "isMarked" AND NOT "isCleared" AND "isNeeded")::int AS "kept"`;
    if (!page) return nothing;
    return {
      ...nothing,
      after: page.seen < contentsAtOnce || page.last === null ? null : [page.last],
      removed: addRemoved({}, { texts: page.changed }),
      left: page.left,
      kept:
        page.kept === 0 ? [] : [{ record: 'texts', why: 'Others got the same text, which is theirs too' }],
    };
  },
};

const blobsAtOnce = 10;
const sharedMs = shared * 86_400_000;

/** Attachments and submitted messages, which go by their age (behaviour B8.5). What is left after the days in which texts are shared is others'. */
const blobs: OwnPlace = {
  name: 'blobs',
  async visit(db, { projectId, spellings, before }, _services, after) {
    const later = after === null ? Prisma.empty : Prisma.sql`AND "hash" > decode(${after[0]}::text, 'hex')`;
    const [page] = await db.$queryRaw<{ seen: number; last: string | null; hits: number }[]>`
      WITH "page" AS MATERIALIZED (
        SELECT "hash" FROM "Blob" WHERE "projectId" = ${projectId}::uuid AND "createdAt" <= ${before} ${later}
        ORDER BY "hash" LIMIT ${blobsAtOnce}::int
      )
      SELECT (SELECT count(*) FROM "page")::int AS "seen", (SELECT encode("hash", 'hex') FROM "page" ORDER BY "hash" DESC LIMIT 1) AS "last",
        (SELECT count(*) FROM "page" p JOIN "Blob" t ON t."projectId" = ${projectId}::uuid AND t."hash" = p."hash"
          WHERE ${mentions(Prisma.raw('t."bytes"'), 'bytes', spellings)})::int AS "hits"`;
    if (!page) return nothing;
    const isTheirs = page.hits > 0 && Date.now() - before.getTime() > sharedMs;
    return {
      ...nothing,
      after: page.seen < blobsAtOnce || page.last === null ? null : [page.last],
      left: isTheirs ? 0 : page.hits,
      kept: isTheirs ? [{ record: 'attachments', why: 'Others got the same file, which is theirs too' }] : [],
    };
  },
};

/** Rows with the id of a contact that is gone. */
const ids: OwnPlace = {
  name: 'ids',
  async visit(db, { projectId, contactIds }) {
    if (contactIds.length === 0) return nothing;
    const counts = Object.entries(idColumns).map(([table, column]) =>
      table === 'JobContact'
        ? Prisma.sql`(SELECT count(*) FROM "JobContact" WHERE "contactId" = ANY(${contactIds}::uuid[]))`
        : Prisma.sql`(SELECT count(*) FROM ${Prisma.raw(`"${table}" WHERE "${column}"`)} = ANY(${contactIds}::uuid[])
            AND "projectId" IS NOT DISTINCT FROM ${projectId}::uuid)`,
    );
    const [row] = await db.$queryRaw<{ left: number }[]>`
      SELECT (${Prisma.join(counts, ' + ')})::int AS "left"`;
    return { ...nothing, left: row?.left ?? 0 };
  },
};

/** Before the mentions: what is removed here is not searched. */
export const firstPlaces: readonly OwnPlace[] = [person, files, letters, contents, blobs];
/** After them. */
export const lastPlaces: readonly OwnPlace[] = [ids];
