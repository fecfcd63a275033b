import { z } from 'zod';
import { disabledReason, isoDate, notGiven, role, uuid } from '../../base/kernel/schemas.ts';

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

/** Owners that cost others something come first; how many are listed. */
export const ownersListed = 100;

export const ownerOrder = z.enum(['storage', 'streams', 'slow', 'reports']);

export const ownersInput = z.object({
  by: ownerOrder.default('storage').describe('The figure by which they are listed, highest first.'),
});

export const ownersOutput = z.array(
  z.object({
    id: uuid.describe('Id of the user.'),
    email: z.string().describe('Address of the user.'),
    emailVerified: z.boolean().describe('Whether the address was proven.'),
    projects: z.int().describe('Number of projects that the user owns.'),
    storedBytes: z.int().describe('What they have stored.'),
    mostStreams: z
      .int()
      .describe('The most live streams that one process had open at once in the last 7 days; 0 for up to 5.'),
    slowMinutes: z.int().describe('Minutes of the last 7 days in which a task took long.'),
    taskLimits: z.int().describe('Tasks that were stopped at their limit in the last 7 days.'),
    unprovenReports: z
      .int()
      .describe(
        'Emails of the last 7 days whose bounce or complaint is known from reports without a proof only.',
      ),
    plainUntil: isoDate
      .nullable()
      .describe('Until when new contents are filled in plainly; null if they are not.'),
  }),
);
