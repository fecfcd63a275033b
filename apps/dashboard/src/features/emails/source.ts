import type { Email } from '../../lib/api.ts';

export const sourceNames: Record<Email['sourceType'], string> = {
  TRANSACTIONAL: 'API',
  CAMPAIGN: 'Campaign',
  WORKFLOW: 'Workflow',
  TEST: 'Test',
};
