import type { Member } from '../../../lib/api.ts';

export const roleNames: Readonly<Record<Member['role'], string>> = {
  OWNER: 'Owner',
  ADMIN: 'Admin',
  MEMBER: 'Member',
};

/** Roles that can be given to a member; a project keeps its owner. */
export const memberRoles = [
  { value: 'ADMIN', label: 'Admin' },
  { value: 'MEMBER', label: 'Member' },
] as const;

export type AssignableRole = (typeof memberRoles)[number]['value'];

/** Reads the value of a role control. */
export const roleOf = (value: string): AssignableRole => (value === 'ADMIN' ? 'ADMIN' : 'MEMBER');
