import { parseTemplate, type Variables } from '../../templates/language/index.ts';
import { mapStrings } from './webhook.rules.ts';

/**
 * A URL with its variables filled in, every value percent-encoded: no value can add a path segment, a parameter or a
 * host (behaviour B6.6). In templates with tags, values are encoded before rendering.
 *
 * @throws TemplateSyntaxError
 */
export function fillInUrl(url: string, variables: Variables): string {
  if (!url.includes('{')) return url;
  const template = parseTemplate(url, 'text');
  if (template.flat) {
    const { literals, slots } = template.flat;
    return literals.reduce(
      (text, literal, index) =>
        text + encodeURIComponent(slots[index - 1]?.renderText(variables).toWellFormed() ?? '') + literal,
    );
  }
  const encoded = mapStrings(variables, (text) => encodeURIComponent(text.toWellFormed())) as Variables;
  return template.render(encoded);
}
