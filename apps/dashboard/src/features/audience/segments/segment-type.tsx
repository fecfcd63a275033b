import type { Segment } from '../../../lib/api.ts';

export const segmentTypes: Readonly<Record<Segment['type'], { name: string; meaning: string }>> = {
  DYNAMIC: { name: 'Dynamic', meaning: 'Dynamic (by filter)' },
  STATIC: { name: 'Static', meaning: 'Static list' },
};
