import type { RequestEntry } from '../../../lib/api.ts';

export const doorNames: Record<RequestEntry['door'], string> = {
  REST: 'REST',
  GRAPHQL: 'GraphQL',
  SMTP: 'SMTP',
  MCP: 'MCP',
};
