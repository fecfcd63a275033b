interface Notation {
  indent: string;
  null: string;
  true: string;
  false: string;
  text(value: string): string;
  list(items: string[], pad: string): string;
  map(entries: [key: string, value: string][], pad: string): string;
}

const isShort = (parts: string[]): boolean => parts.join('').length < 60 && !parts.join('').includes('\n');

/** A JSON value in the notation of a language. */
export function literal(value: unknown, notation: Notation, pad = ''): string {
  if (value === null || value === undefined) return notation.null;
  if (value === true) return notation.true;
  if (value === false) return notation.false;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return notation.text(value);
  const inner = pad + notation.indent;
  if (Array.isArray(value))
    return notation.list(
      value.map((item) => literal(item, notation, inner)),
      pad,
    );
  return notation.map(
    Object.entries(value).map(([key, item]) => [key, literal(item, notation, inner)]),
    pad,
  );
}

const list =
  (indent: string, trailing = ',') =>
  (items: string[], pad: string): string => {
    if (items.length === 0) return '[]';
    if (isShort(items)) return `[${items.join(', ')}]`;
    return `[\n${items.map((item) => `${pad}${indent}${item}`).join(',\n')}${trailing}\n${pad}]`;
  };

function maps(
  indent: string,
  entry: (key: string, value: string) => string,
  [open, close]: readonly [string, string] = ['{', '}'],
  trailing = ',',
) {
  const space = open === '{' ? ' ' : '';
  return (entries: [string, string][], pad: string): string => {
    if (entries.length === 0) return `${open}${close}`;
    const parts = entries.map(([key, value]) => entry(key, value));
    if (isShort(parts) && parts.length < 3) return `${open}${space}${parts.join(', ')}${space}${close}`;
    return `${open}\n${parts.map((part) => `${pad}${indent}${part}`).join(',\n')}${trailing}\n${pad}${close}`;
  };
}

const double = (value: string): string => JSON.stringify(value);
const single = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
/** PHP and Ruby read `\n` in double quotes only. */
const singleUnlessLines = (shielded: (text: string) => string) => (value: string) =>
  value.includes('\n') ? shielded(double(value)) : single(value);

export const inTypescript: Notation = {
  indent: '  ',
  null: 'null',
  true: 'true',
  false: 'false',
  text: single,
  list: list('  '),
  map: maps('  ', (key, value) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : single(key)}: ${value}`),
};

export const inPython: Notation = {
  indent: '    ',
  null: 'None',
  true: 'True',
  false: 'False',
  text: double,
  list: list('    '),
  map: maps('    ', (key, value) => `${double(key)}: ${value}`),
};

export const inPhp: Notation = {
  indent: '    ',
  null: 'null',
  true: 'true',
  false: 'false',
  text: singleUnlessLines((text) => text.replaceAll('$', '\\$')),
  list: list('    '),
  map: (entries, pad) =>
    entries.length === 0
      ? 'new stdClass()'
      : maps('    ', (key, value) => `${single(key)} => ${value}`, ['[', ']'])(entries, pad),
};

export const inRuby: Notation = {
  indent: '  ',
  null: 'nil',
  true: 'true',
  false: 'false',
  text: singleUnlessLines((text) => text.replaceAll('#', '\\#')),
  list: list('  ', ''),
  map: maps(
    '  ',
    (key, value) => `${/^[a-z_]\w*$/i.test(key) ? key : `${double(key)}`}: ${value}`,
    ['{', '}'],
    '',
  ),
};

/** In a raw string where the text allows it. */
export const goText = (text: string): string => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);
