import type { Heading, Section } from '../html/markdown.ts';

export const areas = ['guides', 'api', 'webhooks', 'errors'] as const;
export type Area = (typeof areas)[number];

/** A page before its frame: `/docs/<path>`, and its text at `/docs/<path>.md`. */
export interface Page {
  /** without a leading slash; empty for the first page */
  path: string;
  area: Area;
  /** the part of the guides or group of operations that it belongs to */
  group: string;
  title: string;
  /** what the navigation calls it, where that is shorter */
  label?: string;
  description: string;
  /** HTML with the main heading */
  content: string;
  /** HTML beside the content, such as samples */
  aside?: string;
  headings: Heading[];
  /** Markdown with the main heading */
  text: string;
  sections: Section[];
}

export const hrefOf = ({ path }: Pick<Page, 'path'>): string => (path === '' ? '/docs' : `/docs/${path}`);
export const textHrefOf = ({ path }: Pick<Page, 'path'>): string =>
  `/docs/${path === '' ? 'index' : path}.md`;
