import { type Area, areas, type Page, textHrefOf } from './pages/page.ts';

const titles: Readonly<Record<Area, string>> = {
  guides: 'Guides',
  api: 'API',
  webhooks: 'Webhooks',
  errors: 'Errors',
};

/** The index for language models, one line per page (llmstxt.org). */
export function llmsIndex(pages: readonly Page[], groups: ReadonlyMap<string, string>): string {
  const lines = areas.flatMap((area) => {
    const own = pages.filter((page) => page.area === area && page.path !== '');
    return [...Map.groupBy(own, ({ group }) => group)].flatMap(([group, members]) => {
      const name =
        area === 'guides' ? group : [titles[area], groups.get(group) ?? group].filter(Boolean).join(': ');
      return [
        `## ${name}`,
        '',
        ...members.map(
          (page) => `- [${page.title}](${textHrefOf(page)}): ${page.description.replaceAll(/\s+/g, ' ')}`,
        ),
        '',
      ];
    });
  });
  return [
    '# Postrider',
    '',
    '> An open, self-hostable email platform for many projects: transactional email, contacts, events, segments, templates, campaigns and workflows, by REST, GraphQL, SDK, SMTP and MCP.',
    '',
    'Each page is Markdown. `/openapi.json` is the OpenAPI 3.1 document, `/llms-full.txt` has all pages in one file.',
    '',
    ...lines,
  ].join('\n');
}

/** All pages in one text. */
export const llmsFull = (pages: readonly Page[]): string =>
  pages
    .filter(({ path }) => path !== '')
    .map((page) => `${page.text}\n`)
    .join('\n---\n\n');
