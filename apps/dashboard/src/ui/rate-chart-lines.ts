const fills = [
  'opened',
  'bounced',
  'sent',
  'clicked',
  'complained',
  'uncertain',
  'failed',
  'skipped',
] as const;

/** The colour of a line, by its place: those that follow each other differ most. */
export const lineColour = (index: number): string => `var(--fill-${fills[index % fills.length]})`;
