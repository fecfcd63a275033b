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

/** What a reference is known by in a document, by its id: the slug of a segment, the alias of a template or workflow if it has one. */
export async function namesOfReferences(
  db: Db,
  projectId: string,
  kind: 'segment' | 'template' | 'workflow',
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  if (ids.length === 0) return new Map();
  const where = { projectId, id: { in: [...ids] } };
  if (kind === 'segment')
    return new Map(
      (await db.segment.findMany({ where, select: { id: true, slug: true } })).map(({ id, slug }) => [
        id,
        slug,
      ]),
    );
  const select = { id: true, alias: true };
  const rows =
    kind === 'template'
      ? await db.template.findMany({ where, select })
      : await db.workflow.findMany({ where, select });
  return new Map(rows.map(({ id, alias }) => [id, alias]));
}

/** The ids of what the names of a kind stand for, by name. */
export async function idsOfNames(
  db: Db,
  projectId: string,
  kind: 'segment' | 'template' | 'workflow',
  names: readonly string[],
): Promise<Map<string, string>> {
  if (names.length === 0) return new Map();
  if (kind === 'segment')
    return new Map(
      (
        await db.segment.findMany({
          where: { projectId, slug: { in: [...names] } },
          select: { id: true, slug: true },
        })
      ).map(({ id, slug }) => [slug, id]),
    );
  const query = { where: { projectId, alias: { in: [...names] } }, select: { id: true, alias: true } };
  const rows = kind === 'template' ? await db.template.findMany(query) : await db.workflow.findMany(query);
  return new Map(rows.flatMap(({ id, alias }) => (alias === null ? [] : [[alias, id] as const])));
}

/** Names of workflows that begin like one. */
export async function namesLike(db: Db, projectId: string, name: string): Promise<Set<string>> {
  const rows = await db.workflow.findMany({
    where: { projectId, name: { startsWith: name.replace(/[\\%_]/g, '\\$&') } },
    select: { name: true },
  });
  return new Set(rows.map((row) => row.name));
}
