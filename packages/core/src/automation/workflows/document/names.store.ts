import type { Db } from '../../../base/db/index.ts';

/** The aliases and names of templates, by their ids. */
export async function namesOfTemplates(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, { alias: string | null; name: string }>> {
  const rows = await db.template.findMany({
    where: { projectId, id: { in: [...ids] } },
    select: { id: true, alias: true, name: true },
  });
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}

export interface NamedTemplate {
  id: string;
  from: string;
}

export async function templatesByAlias(
  db: Db,
  projectId: string,
  aliases: readonly string[],
): Promise<Map<string, NamedTemplate>> {
  const rows = await db.template.findMany({
    where: { projectId, alias: { in: [...aliases] } },
    select: { id: true, alias: true, from: true },
  });
  return new Map(rows.flatMap(({ alias, ...row }) => (alias === null ? [] : [[alias, row] as const])));
}

export async function slugOfSegment(db: Db, projectId: string, id: string): Promise<string | null> {
  const row = await db.segment.findFirst({ where: { projectId, id }, select: { slug: true } });
  return row?.slug ?? null;
}

/** The slugs of segments, by their ids. */
export async function slugsOfSegments(
  db: Db,
  projectId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.segment.findMany({
    where: { projectId, id: { in: [...ids] } },
    select: { id: true, slug: true },
  });
  return new Map(rows.map(({ id, slug }) => [id, slug]));
}

/** The ids of segments, by their slugs. */
export async function segmentsBySlug(
  db: Db,
  projectId: string,
  slugs: readonly string[],
): Promise<Map<string, string>> {
  if (slugs.length === 0) return new Map();
  const rows = await db.segment.findMany({
    where: { projectId, slug: { in: [...slugs] } },
    select: { id: true, slug: true },
  });
  return new Map(rows.map(({ id, slug }) => [slug, id]));
}

export async function segmentBySlug(db: Db, projectId: string, slug: string): Promise<string | null> {
  const row = await db.segment.findFirst({ where: { projectId, slug }, select: { id: true } });
  return row?.id ?? null;
}

/** Names of workflows that begin like one. */
export async function namesLike(db: Db, projectId: string, name: string): Promise<Set<string>> {
  const rows = await db.workflow.findMany({
    where: { projectId, name: { startsWith: name.replace(/[\\%_]/g, '\\$&') } },
    select: { name: true },
  });
  return new Set(rows.map((row) => row.name));
}
