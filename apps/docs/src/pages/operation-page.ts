import type { ApiDocument, DocumentedOperation } from '../document/document.ts';
import { exampleOf, successOf } from '../document/example.ts';
import { type Field, fieldOf, fieldsOf, groupsOf, type Listed } from '../document/fields.ts';
import { codeBlock, codeTabs, fenced } from '../html/code.ts';
import { escapeHtml } from '../html/escape.ts';
import { type Heading, headingHtml, renderInline, renderMarkdown } from '../html/markdown.ts';
import { operationSamples } from '../samples/operation-samples.ts';
import { fieldListHtml, fieldListText, groupsHtml } from './field-list.ts';
import type { Page } from './page.ts';

const titles = { path: 'Path', query: 'Query', header: 'Headers' } as const;

interface Asked {
  places: readonly (keyof typeof titles)[];
  listed: Listed;
}

interface Place {
  group: string;
  /** an error code in one sentence */
  describe(code: string, status: number): string;
}

interface Part {
  heading: Heading;
  html: string;
  text: string;
}

/** One operation: what it takes, what it answers, how it fails, and its smallest request in every language. */
export function operationPage(
  document: ApiDocument,
  operation: DocumentedOperation,
  { group, describe }: Place,
): Page {
  const { id, method, path, summary, description, deprecated } = operation;
  const [sentence = '', ...more] = description.split('\n\n');
  const intro = renderMarkdown([sentence, ...more].join('\n\n'));
  const listed: Listed = new Map();
  const parts = [
    ...parameterParts(document, operation, { places: ['path', 'query'], listed }),
    bodyPart(document, operation, listed),
    ...parameterParts(document, operation, { places: ['header'], listed }),
    replyPart(document, operation),
    errorPart(document, operation, describe),
  ].filter((part) => part !== null);
  const samples = operationSamples(document, operation);
  const success = successOf(operation);
  const reply = success ? exampleOf(document, success[2]) : undefined;
  const replyCode =
    reply === undefined || typeof reply === 'string' ? null : { language: 'json', text: pretty(reply) };
  const route = `<div class="route"><span class="method ${method.toLowerCase()}">${method}</span><code>${escapeHtml(path).replaceAll('/', '/<wbr>')}</code></div>`;
  return {
    path: `api/${id}`,
    area: 'api',
    group,
    title: summary,
    description: sentence,
    headings: parts.map(({ heading }) => heading),
    content: [
      `<h1>${escapeHtml(summary)}</h1>`,
      route,
      deprecated ? '<p class="deprecated">Deprecated.</p>' : '',
      intro.html,
      `<p class="names">Operation <code>${escapeHtml(id)}</code></p>`,
      ...parts.map(({ heading, html }) => headingHtml(heading, escapeHtml(heading.text)) + html),
    ].join('\n'),
    aside: [codeTabs(samples, 'sample'), replyCode ? codeBlock(replyCode, `Reply ${success?.[0]}`) : ''].join(
      '\n',
    ),
    text: [
      `# ${summary}`,
      `\`${method} ${path}\` (operation \`${id}\`)`,
      description,
      ...parts.map(({ heading, text }) => `## ${heading.text}\n\n${text}`),
      '## Samples',
      ...samples.map((tab) => `${tab.label}:\n\n${fenced(tab)}`),
      ...(replyCode ? ['## Example of a reply', fenced(replyCode)] : []),
    ].join('\n\n'),
    sections: [
      {
        heading: null,
        text: `${id} ${method} ${path} ${description} ${parts.map(({ text }) => namesIn(text)).join(' ')}`,
      },
    ],
  };
}

const pretty = (value: unknown): string => JSON.stringify(value, null, 2);

/** The names of the fields in a list of them. */
const namesIn = (text: string): string =>
  [...text.matchAll(/- `([^`]+)` \(/g)].map(([, name]) => name).join(' ');

function parameterParts(
  document: ApiDocument,
  { parameters }: DocumentedOperation,
  { places, listed }: Asked,
): Part[] {
  return places.flatMap((place) => {
    const fields = parameters
      .filter((each) => each.in === place)
      .map(({ name, schema = {}, required = false, description = '' }): Field => {
        const field = fieldOf(document, {
          name,
          schema,
          required,
          prefix: place === 'path' ? '' : place,
          listed,
        });
        return { ...field, description: description || field.description };
      });
    if (fields.length === 0) return [];
    return [part(titles[place], fieldListHtml(fields), fieldListText(fields))];
  });
}

const part = (title: string, html: string, text: string, id = title.toLowerCase()): Part => ({
  heading: { level: 2, id, text: title },
  html,
  text,
});

function bodyPart(document: ApiDocument, { body }: DocumentedOperation, listed: Listed): Part | null {
  if (body === null) return null;
  const schema = body.media.schema ?? {};
  const fields = fieldsOf(document, schema, '', listed);
  const shown = document.schemaOf(schema).schema;
  const kind = body.type === 'application/json' ? '' : `A form, \`${body.type}\`.`;
  const intro = [kind, shown.description ?? ''].filter(Boolean).join(' ');
  const html = intro ? `<p>${renderInline(intro)}</p>` : '';
  const groups =
    fields.length > 0 ? '' : groupsHtml(groupsOf(document, schema, 'body', listed), 'sent', true);
  return part(
    'Body',
    html + fieldListHtml(fields) + groups,
    [intro, fieldListText(fields)].filter(Boolean).join('\n\n'),
  );
}

function replyPart(document: ApiDocument, operation: DocumentedOperation): Part {
  const success = successOf(operation);
  if (success === null) {
    const found = operation.replies.find(([status]) => /^[23]/.test(status));
    const words = found ? `Status ${found[0]}. ${found[1].description}` : 'No body.';
    return part('Reply', `<p>${renderInline(words)}</p>`, words);
  }
  const [status, type, { schema = {} }] = success;
  // An envelope is opened: its fields are the same everywhere.
  const { schema: whole } = document.schemaOf(schema);
  const inner = whole.properties?.['success'] ? whole.properties['data'] : undefined;
  const listed: Listed = new Map();
  const words = [
    `Status ${status}`,
    type === 'application/json' ? '' : `, \`${type}\``,
    inner ? ', in `data` of `{"success": true, "data": …}`' : '',
    '.',
    whole.description && whole.description !== 'Success.' && type === 'application/json'
      ? ` ${whole.description}`
      : '',
  ].join('');
  const shown = inner ?? schema;
  const fields = fieldsOf(document, shown, 'reply', listed);
  const groups = fields.length > 0 ? [] : groupsOf(document, shown, 'reply', listed);
  const html = fieldListHtml(fields, 'received') + groupsHtml(groups, 'received', true);
  const text = fieldListText(
    fields.length > 0 ? fields : groups.flatMap((group) => group.fields),
    'received',
  );
  return part('Reply', `<p>${renderInline(words)}</p>${html}`, [words, text].filter(Boolean).join('\n\n'));
}

/** The flat bodies of some endpoints have no code. */
function errorPart(
  document: ApiDocument,
  { replies }: DocumentedOperation,
  describe: Place['describe'],
): Part | null {
  const known = new Set(document.errors.map(({ code }) => code));
  const rows = replies.flatMap(([status, { content = {} }]) => {
    if (!/^[45]/.test(status)) return [];
    const codes = Object.keys(content['application/json']?.examples ?? {});
    return codes
      .filter((code) => known.has(code))
      .map((code) => ({ status, code, words: describe(code, Number(status)) }));
  });
  if (rows.length === 0) return null;
  const html = rows.map(
    ({ status, code, words }) =>
      `<tr><td>${status}</td><td><a href="/docs/errors/${code}"><code>${code}</code></a></td><td>${renderInline(words)}</td></tr>`,
  );
  return part(
    'Errors',
    `<div class="table" tabindex="0" role="group" aria-label="Errors"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">When</th></tr></thead><tbody>${html.join('')}</tbody></table></div>`,
    rows
      .map(({ status, code, words }) => `- ${status} [${code}](/docs/errors/${code}.md): ${words}`)
      .join('\n'),
  );
}
