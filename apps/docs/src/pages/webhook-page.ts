import type { ApiDocument, WebhookType } from '../document/document.ts';
import { exampleOfSchema } from '../document/example.ts';
import { fieldsOf } from '../document/fields.ts';
import { codeBlock, fenced } from '../html/code.ts';
import { escapeHtml } from '../html/escape.ts';
import { type Heading, headingHtml, renderInline } from '../html/markdown.ts';
import { fieldListHtml, fieldListText } from './field-list.ts';
import type { Page } from './page.ts';

const payload: Heading = { level: 2, id: 'payload', text: 'Payload' };
const headers: Heading = { level: 2, id: 'headers', text: 'Headers' };

/** Headers of every webhook request, by Standard Webhooks. */
const sent = [
  ['webhook-id', 'Id of the delivery: the same for every attempt and replay. Handle each once.'],
  ['webhook-timestamp', 'When the request was signed, in seconds since 1970.'],
  ['webhook-signature', '`v1,` and the base64 of an HMAC-SHA256 of `id.timestamp.body`; once per secret.'],
] as const;

/** One kind of webhooks: what its body has. */
export function webhookPage(document: ApiDocument, { kind, description, schema }: WebhookType): Page {
  const fields = fieldsOf(document, schema, '', new Map());
  const example = { language: 'json', text: JSON.stringify(exampleOfSchema(document, schema), null, 2) };
  const words = description || `The event ${kind}.`;
  const rows = sent.map(
    ([name, text]) => `<tr><td><code>${name}</code></td><td>${renderInline(text)}</td></tr>`,
  );
  return {
    path: `webhooks/${kind}`,
    area: 'webhooks',
    group: groupOf(kind),
    title: kind,
    description: words,
    headings: [payload, headers],
    content: [
      `<h1><code>${escapeHtml(kind)}</code></h1>`,
      `<p>${renderInline(words)}</p>`,
      '<p>It is posted to the endpoints that ask for this type. Answer with any 2xx within 15 seconds; other answers are followed by further attempts.</p>',
      headingHtml(payload, payload.text),
      fieldListHtml(fields, 'received').replace('<details><summary>', '<details open><summary>'),
      headingHtml(headers, headers.text),
      `<div class="table" tabindex="0" role="group" aria-label="Headers"><table><thead><tr><th scope="col">Header</th><th scope="col">Value</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`,
    ].join('\n'),
    aside: codeBlock(example, 'Example'),
    text: [
      `# ${kind}`,
      words,
      '## Payload',
      fieldListText(fields, 'received'),
      '## Example',
      fenced(example),
      '## Headers',
      sent.map(([name, text]) => `- \`${name}\`: ${text}`).join('\n'),
    ].join('\n\n'),
    sections: [{ heading: null, text: `${words} webhook event type` }],
  };
}

/** `email.bounce` → `Email`. */
function groupOf(kind: string): string {
  const [first = kind] = kind.split('.');
  return first.charAt(0).toUpperCase() + first.slice(1);
}
