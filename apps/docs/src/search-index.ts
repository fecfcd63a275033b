import { hrefOf, type Page } from './pages/page.ts';

/** What the search of the site looks through: address, title, heading, words, and the word for what it is. */
export type SearchEntry = [href: string, title: string, heading: string, text: string, kind: string];

const kinds: Readonly<Record<Page['area'], string>> = {
  guides: 'Guide',
  api: 'API',
  webhooks: 'Webhook',
  errors: 'Error',
};

/** In characters: the words below one heading. */
const longestText = 1_000;

/** An entry for each page, and for each heading of a guide. */
export const searchIndex = (pages: readonly Page[]): SearchEntry[] =>
  pages.flatMap((page) =>
    page.sections.map(({ heading, text }, index): SearchEntry => {
      const href = heading ? `${hrefOf(page)}#${heading.id}` : hrefOf(page);
      const words = index === 0 && !heading ? `${page.description} ${text}` : text;
      return [
        href,
        page.title,
        heading?.text ?? '',
        words.replaceAll(/\s+/g, ' ').slice(0, longestText),
        kinds[page.area],
      ];
    }),
  );
