import type { Db } from '../../base/db/index.ts';
import { listPageSize } from './installation.schema.ts';

/** One keyset page of all projects, oldest first; the hidden project of platform emails is not among them. */
export const findAllProjects = (db: Db, after: string | undefined) =>
  db.project.findMany({
    where: { kind: 'CUSTOMER', deletedAt: null, ...(after && { id: { gt: after } }) },
    orderBy: { id: 'asc' },
    take: listPageSize,
    select: {
      id: true,
      name: true,
      disabledReason: true,
      createdAt: true,
      members: { where: { role: 'OWNER' }, select: { user: { select: { email: true } } } },
      _count: { select: { members: true } },
    },
  });

/** One keyset page of all users, oldest first, with their projects. */
export const findAllUsers = (db: Db, after: string | undefined) =>
  db.user.findMany({
    where: after === undefined ? {} : { id: { gt: after } },
    orderBy: { id: 'asc' },
    take: listPageSize,
    select: {
      id: true,
      email: true,
      emailVerified: true,
      createdAt: true,
      memberships: { select: { projectId: true, role: true }, orderBy: { projectId: 'asc' } },
    },
  });
