import { z } from 'zod';
import { disabledReason, isoDate, notGiven, role, uuid } from '../kernel/schemas.ts';

/** Rows of one page of a list over the whole installation. */
export const listPageSize = 500;

export const afterInput = z.object({
  after: notGiven(uuid).describe('Only records created after this one, by its id.'),
});

export const allProjectsOutput = z.array(
  z.object({
    id: uuid.describe('Id of the project.'),
    name: z.string().describe('Name of the project.'),
    owner: z.string().nullable().describe('Address of its owner.'),
    members: z.int().describe('Number of its members, the owner included.'),
    disabledReason: disabledReason.nullable().describe('Why it is disabled; null while it is enabled.'),
    createdAt: isoDate.describe('Time of creation.'),
  }),
);

export const usersOutput = z.array(
  z.object({
    id: uuid.describe('Id of the user.'),
    email: z.string().describe('Address of the user.'),
    emailVerified: z.boolean().describe('Whether the address was proven.'),
    projects: z
      .array(z.object({ id: uuid.describe('Id of the project.'), role: role.describe('Role in it.') }))
      .describe('Projects of the user.'),
    createdAt: isoDate.describe('Time of sign-up.'),
  }),
);
