import type { ListedTemplateVersion } from './api.ts';

/** Who saved a version. */
export const authorInWords = ({ author }: Pick<ListedTemplateVersion, 'author'>): string => {
  if (author === null) return 'Author not recorded';
  // A key without an id is that of the project itself, whose label says so.
  return author.type === 'key' && author.id !== null ? `API key “${author.label}”` : author.label;
};
