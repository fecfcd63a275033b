/** Above this number of contacts in one statement, tracked segments are recomputed in full instead of per contact. */
export const manyContacts = 10_000;

/** The slug of a segment in the names of its events (behaviour B2.4). An empty slug is replaced by the segment's id. */
export function slugOf({ id, name }: { id: string; name: string }): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9_\s-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  return slug === '' ? id : slug;
}

/** Interval at which time-based conditions are re-evaluated and untracked segments recounted. */
export const recomputeSeconds = 300;
