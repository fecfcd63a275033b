import type { Segment } from '../../lib/api.ts';

export const segmentTypes: Readonly<Record<Segment['type'], { name: string; meaning: string }>> = {
  DYNAMIC: { name: 'Dynamic', meaning: 'Whoever matches a filter' },
  STATIC: { name: 'Static', meaning: 'A list that is kept by hand' },
};
