import type { ErrorCode } from '../document/document.ts';
import { codeBlock, fenced } from '../html/code.ts';
import { escapeHtml } from '../html/escape.ts';
import { type Heading, headingHtml, renderMarkdown } from '../html/markdown.ts';
import type { Page } from './page.ts';

const example: Heading = { level: 2, id: 'example', text: 'Example' };
const operations: Heading = { level: 2, id: 'operations', text: 'Operations' };

/** Beyond these the list of operations is folded. */
const shownOperations = 15;

/**
 * One error code: cause, remedy, the body, and what answers with it.
 *
 * @param guide its cause and remedy as Markdown, for HTML and as text; without one they are those of the API document
 */
export function errorPage(error: ErrorCode, guide: { forHtml: string; asText: string } | null): Page {
  const { code, cases } = error;
  const statuses = cases.map(({ status }) => status);
  const [first] = cases;
  const stated = guide ?? { forHtml: plainGuide(error), asText: plainGuide(error) };
  const { html, headings, sections } = renderMarkdown(stated.forHtml);
  const description = firstSentence(stated.asText) || first?.summary || code;
  const bodies = cases.map(({ status, body }) => ({
    status,
    code: { language: 'json', text: JSON.stringify(body, null, 2) },
  }));
  const links = error.operations.map(
    ({ id, summary }) =>
      `<li><a href="/docs/api/${id}">${escapeHtml(summary)}</a> <code>${escapeHtml(id)}</code></li>`,
  );
  const list = `<ul>${links.join('')}</ul>`;
  const folded = `<details><summary>${links.length} operations</summary>${list}</details>`;
  return {
    path: `errors/${code}`,
    area: 'errors',
    group: String(statuses[0] ?? 'Other'),
    title: code,
    description,
    headings: [
      ...headings,
      ...(bodies.length > 0 ? [example] : []),
      ...(links.length > 0 ? [operations] : []),
    ],
    content: [
      `<h1><code>${escapeHtml(code).replaceAll('_', '_<wbr>')}</code></h1>`,
      statuses.length > 0 ? `<p class="names">HTTP status ${statuses.join(', ')}</p>` : '',
      html,
      bodies.length > 0 ? headingHtml(example, example.text) : '',
      ...bodies.map((body) => codeBlock(body.code, `Status ${body.status}`)),
      links.length > 0 ? headingHtml(operations, operations.text) : '',
      links.length === 0 ? '' : links.length > shownOperations ? folded : list,
    ].join('\n'),
    text: [
      `# ${code}`,
      `HTTP status ${statuses.join(', ')}.`,
      stated.asText.trim(),
      '## Example',
      ...bodies.map((body) => fenced(body.code)),
      ...(links.length > 0
        ? [
            '## Operations',
            error.operations.map(({ id, summary }) => `- [${summary}](/docs/api/${id}.md)`).join('\n'),
          ]
        : []),
    ].join('\n\n'),
    sections: [{ heading: null, text: sections.map(({ text }) => text).join(' ') }],
  };
}

/** What the API document says of a code that has no text of its own. */
function plainGuide({ cases }: ErrorCode): string {
  const causes = cases.map(({ meaning, summary }) =>
    meaning === `${summary}.` ? meaning : `${meaning} For example: “${summary}”.`,
  );
  const remedies = cases.map(
    ({ body }) => (body as { error?: { suggestion?: string } }).error?.suggestion ?? '',
  );
  return [
    '## Cause',
    ...new Set(causes),
    '## What to do',
    ...new Set(remedies.filter(Boolean).map((text) => text.replace(/\.?$/, '.'))),
  ].join('\n\n');
}

const firstSentence = (text: string): string =>
  text
    .split('\n\n')
    .find((block) => block !== '' && !block.startsWith('#'))
    ?.replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .split(/(?<=[.!?])\s/)[0] ?? '';
