import type { Db, Prisma } from '../../base/db/index.ts';

/** What of a project its pages of recipients show. */
const shown = { name: true, brand: true, consent: true, language: true } as const;

/** A project that may ask for confirmations. */
export type AskingProject = Prisma.ProjectGetPayload<{ select: typeof shown }>;

/** @returns null when it is gone or disabled */
export const findAskingProject = (db: Db, projectId: string): Promise<AskingProject | null> =>
  db.project.findFirst({
    where: { id: projectId, deletedAt: null, disabled: false },
    select: shown,
  });

/** The same of any project. */
export const readShown = (db: Db, projectId: string): Promise<AskingProject> =>
  db.project.findUniqueOrThrow({ where: { id: projectId }, select: shown });

export async function findNameOfProject(db: Db, projectId: string): Promise<string> {
  const { name } = await db.project.findUniqueOrThrow({ where: { id: projectId }, select: { name: true } });
  return name;
}
