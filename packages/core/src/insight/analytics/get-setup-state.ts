import { z } from 'zod';
import { isoDate, projectIdOf, query, uuid } from '../../base/kernel/index.ts';
import { accessDenied } from '../../people/projects/index.ts';
import { readSetupState } from './setup-state.store.ts';

const setupState = z.object({
  hasSubscription: z.boolean().describe('Whether the project has a paid subscription'),
  hasVerifiedDomain: z.boolean().describe('Whether the project has a verified sender domain'),
  contactCount: z.int().describe('Number of contacts'),
  lastCampaignSentAt: isoDate.nullable().describe('When the latest campaign was sent; null before the first'),
  hasEnabledWorkflow: z.boolean().describe('Whether a workflow is enabled'),
});

export const getSetupState = query({
  name: 'projects.setupState',
  summary: 'Returns how far the setup of a project has come',
  permission: 'project:read',
  errors: ['PROJECT_ACCESS_DENIED'],
  input: z.object({ id: uuid.describe('Id of the project') }),
  output: setupState,
  async handler(ctx, { id }) {
    if (id !== projectIdOf(ctx)) throw accessDenied();
    return readSetupState(ctx.db, id);
  },
});
