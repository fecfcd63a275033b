/** The attributes of an element by name; only those that are read. */
export type Attributes = ReadonlyMap<string, string>;

/** What of an element's content is shown: images have a size of their own, text has not. */
export type Showing = 'all' | 'images' | 'nothing';

interface Declaration {
  readonly value: string;
  readonly isImportant: boolean;
}

const NOTHING_DECLARED: ReadonlyMap<string, Declaration> = new Map();
/** Sizes that depend on that of the element around; the others make text visible again. */
const RELATIVE_SIZE = /^(?:inherit|unset|revert|larger|smaller|[\d.]+(?:em|ex|ch|%))$/;

/** What of an element can be seen, by its own attributes (style sheets are not evaluated) and what is seen of the element around it. */
export function showingOf(attributes: Attributes, around: Showing): Showing {
  if (around === 'nothing' || attributes.has('hidden')) return 'nothing';
  const styles = stylesOf(attributes);
  if (styles.size === 0) return around;
  const valueIn = (name: string): string => styles.get(name)?.value ?? '';
  // Not `mso-hide`: it hides in Outlook what all others show, such as the button beside one that is drawn for Outlook.
  if (valueIn('display') === 'none' || valueIn('visibility') === 'hidden') return 'nothing';
  const size = valueIn('font-size');
  if (isZero(size)) {
    if (isZero(valueIn('max-height'))) return 'nothing';
    // What MJML writes around sections with a background: the texts inside have sizes of their own.
    if (isZero(valueIn('line-height'))) return 'images';
  }
  const isSized = valueIn('font') !== '' || (size !== '' && !isZero(size) && !RELATIVE_SIZE.test(size));
  return isSized ? 'all' : around;
}

/** Whether an element is rendered, though perhaps invisible. */
export function isRendered(attributes: Attributes): boolean {
  return !attributes.has('hidden') && stylesOf(attributes).get('display')?.value !== 'none';
}

/** The value of one property in an element's `style`. */
export function styleOf(attributes: Attributes, name: string): string {
  return stylesOf(attributes).get(name)?.value ?? '';
}

const isZero = (value: string): boolean => /^[+-]?[\d.]/.test(value) && Number.parseFloat(value) === 0;

/** The declarations in force: of the same property the last one, or the last important one. */
function stylesOf(attributes: Attributes): ReadonlyMap<string, Declaration> {
  const style = attributes.get('style');
  if (!style) return NOTHING_DECLARED;
  const styles = new Map<string, Declaration>();
  for (const declaration of withoutComments(style).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const name = declaration.slice(0, colon).trim();
    const [value = '', ...flags] = declaration.slice(colon + 1).split('!');
    const isImportant = flags.some((flag) => flag.trim() === 'important');
    if (!isImportant && styles.get(name)?.isImportant) continue;
    styles.set(name, { value: value.trim(), isImportant });
  }
  return styles;
}

function withoutComments(style: string): string {
  let text = '';
  let at = 0;
  for (;;) {
    const start = style.indexOf('/*', at);
    if (start < 0) return text + style.slice(at);
    text += style.slice(at, start);
    const end = style.indexOf('*/', start + 2);
    if (end < 0) return text;
    at = end + 2;
  }
}
