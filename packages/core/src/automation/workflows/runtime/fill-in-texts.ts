import { parseTemplate, type Variables } from '../../../content/templates/language/index.ts';
import { mapStrings } from './webhook.rules.ts';

/** The texts of a step: a URL, and a JSON value whose strings are templates. */
export interface StepTexts {
  url?: string;
  values: unknown;
  /** whether a text that is nothing but one variable stands for its value, with its type */
  keepsTypes?: boolean;
}

/** The filled-in texts of a step are longer than they may be. */
export class TextsTooLongError extends Error {
  constructor(maxLength: number) {
    super(`The filled-in texts of this step have more than ${maxLength} characters`);
    this.name = 'TextsTooLongError';
  }
}

/**
 * Fills in the texts of a step.
 *
 * @param maxLength maximum number of characters of all texts together
 * @throws TemplateSyntaxError
 * @throws TextsTooLongError
 */
export function fillInTexts(
  { url, values, keepsTypes }: StepTexts,
  variables: Variables,
  maxLength: number,
): StepTexts {
  let left = maxLength;
  const counted = (text: string): string => {
    left -= text.length;
    if (left < 0) throw new TextsTooLongError(maxLength);
    return text;
  };
  return {
    ...(url === undefined ? {} : { url: counted(fillInUrl(url, variables)) }),
    values: mapStrings(values, (text) => {
      const value = fillIn(text, variables, keepsTypes === true);
      return typeof value === 'string' ? counted(value) : value;
    }),
  };
}

function fillIn(text: string, variables: Variables, keepsTypes: boolean): unknown {
  if (!text.includes('{')) return text;
  const template = parseTemplate(text, 'text');
  const { literals = [], slots = [] } = template.flat ?? {};
  const [slot] = slots;
  if (keepsTypes && slot?.isPath && slots.length === 1 && literals.every((literal) => literal === '')) {
    const value = slot.resolve(variables);
    // Lists and objects have no place in the data of a contact; their text has.
    if (value === null || typeof value === 'number' || typeof value === 'boolean') return value;
  }
  return template.render(variables);
}

/**
 * A URL with its variables filled in, every value percent-encoded: no value can add a path segment, a parameter or a
 * host (behaviour B6.6). In templates with tags, values are encoded before rendering.
 */
function fillInUrl(url: string, variables: Variables): string {
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
