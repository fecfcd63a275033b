/** What a key of each scope may do. */
export const scopeNames = {
  full: 'Full access',
  send: 'Send emails',
  read: 'Read only',
  track: 'Track events',
  agent: 'Agent: a person agrees to what sends or deletes',
} as const;
