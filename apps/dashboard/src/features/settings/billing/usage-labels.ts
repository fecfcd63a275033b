/** The categories of usage in the order in which they are shown. */
export const usageLabels = [
  { category: 'total', label: 'All emails' },
  { category: 'transactional', label: 'Transactional' },
  { category: 'campaigns', label: 'Campaigns' },
  { category: 'workflows', label: 'Workflows' },
] as const;
