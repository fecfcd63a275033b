import type { Guide } from '../guides/front-matter.ts';
import type { Resolved } from '../guides/resolve.ts';
import { samplesNamed } from '../guides/samples.ts';
import { escapeHtml } from '../html/escape.ts';
import { renderMarkdown } from '../html/markdown.ts';
import type { Sources } from '../sources.ts';
import type { Page } from './page.ts';

/** A guide. Its title is in the front matter: a first heading that repeats it is left out. */
export function guidePage(guide: Guide, resolved: Resolved, samples: Sources['samples']): Page {
  const { slug, title, part, description } = guide;
  const { html, headings, sections } = renderMarkdown(withoutTitle(resolved.forHtml), (name) =>
    samplesNamed(samples, name),
  );
  return {
    path: slug,
    area: 'guides',
    group: part,
    title,
    description,
    headings,
    content: `<h1>${escapeHtml(title)}</h1>\n<p class="lead">${escapeHtml(description)}</p>\n${html}`,
    text: `# ${title}\n\n${description}\n\n${withoutTitle(resolved.asText).trim()}`,
    sections,
  };
}

const withoutTitle = (text: string): string => text.replace(/^\s*# [^\n]*\n/, '');
