import fc from '@postrider/vitest/fast-check.ts';
import { expect, test } from 'vitest';
import { liquidFilters } from '../liquid-words.rules.ts';
import { parseTemplate } from './index.ts';

const name = fc.constantFrom('a', 'first name', 'plan', 'x-y', 'Zoë');
const value = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(fc.string(), fc.integer()), { maxLength: 3 }),
);
const vars = fc.dictionary(name, value);
const literalText = fc.string().map((text) => text.replace(/[{}%&]/g, '.'));
const bare = fc.constantFrom('there', 'dear reader', "friend's", '0');
const quoted = fc.constantFrom('"a ?? b"', "'}}'", '"x < y"', '""');

interface Piece {
  source: string;
  /** The naive model: the output for given variables. */
  write(vars: Record<string, unknown>, mode: 'html' | 'text'): string;
}

const literal: fc.Arbitrary<Piece> = literalText.map((text) => ({ source: text, write: () => text }));
const output: fc.Arbitrary<Piece> = fc
  .tuple(name, fc.option(fc.oneof(bare, quoted), { nil: undefined }), fc.constantFrom('', ' ', '\n'))
  .map(([key, fallback, blank]) => ({
    source: `{{${blank}${key}${fallback === undefined ? '' : ` ?? ${fallback}`}${blank}}}`,
    write: (given, mode) => {
      const found = Object.hasOwn(given, key) ? given[key] : undefined;
      const isMissing = found === undefined || found === null || found === false || found === '';
      const literalValue = fallback === undefined ? undefined : fallback.replace(/^(["'])(.*)\1$/, '$2');
      return show(isMissing && literalValue !== undefined ? literalValue : found, mode);
    },
  }));

function show(found: unknown, mode: 'html' | 'text'): string {
  if (!Array.isArray(found))
    return escapeNaively(found === undefined || found === null ? '' : String(found), mode);
  return mode === 'text'
    ? found.join(', ')
    : found.map((item) => `<li>${escapeNaively(String(item), mode)}</li>`).join('\n');
}

function escapeNaively(text: string, mode: 'html' | 'text'): string {
  if (mode === 'text') return text;
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

const template = fc.array(fc.oneof(literal, output), { maxLength: 12 });

test('templates without tags equal the naive model', () => {
  fc.assert(
    fc.property(template, vars, fc.constantFrom('html' as const, 'text' as const), (pieces, given, mode) => {
      const compiled = parseTemplate(pieces.map((piece) => piece.source).join(''), mode);
      expect(compiled.render(given)).toBe(pieces.map((piece) => piece.write(given, mode)).join(''));
    }),
    { numRuns: 2_000 },
  );
});

test('filling the slots of a flat template equals rendering it', () => {
  fc.assert(
    fc.property(template, vars, (pieces, given) => {
      const source = pieces.map((piece) => piece.source).join('');
      const { flat } = parseTemplate(source, 'html');
      fc.pre(flat !== null);
      let filled = flat.literals[0] ?? '';
      flat.slots.forEach((slot, i) => {
        filled += slot.render(given) + (flat.literals[i + 1] ?? '');
      });
      // A tag that renders nothing forces the same source through liquidjs.
      const rendered = parseTemplate(`${source}{% if nothing %}{% endif %}`, 'html').render(given);
      expect(filled).toBe(rendered);
    }),
    { numRuns: 1_000 },
  );
});

test('no value opens a tag, an attribute or an entity', () => {
  const source =
    '<p title="{{v}}">{{v}}{{ v | upcase }}{% echo v %}{% for i in l %}{{i}}{% endfor %}{{l}}</p>';
  const compiled = parseTemplate(source, 'html');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', ';') }), (v) => {
      const rendered = compiled
        .render({ v, l: [v, v] })
        .replace('<p title="', '')
        .replace('">', '')
        .replace('</p>', '')
        .replaceAll('<li>', '')
        .replaceAll('</li>', '');
      expect(rendered).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39|AMP|LT|GT|QUOT);)/);
    }),
  );
});

// `raw` is how an author asks for values that write tags.
const filterName = fc.constantFrom(...liquidFilters.filter((filter) => filter !== 'raw'));
const argument = fc.constantFrom(
  'v',
  'w',
  '"<"',
  '"&lt;"',
  '">"',
  '""',
  '1',
  '-3',
  'l',
  'e',
  '"x", "x | newline_to_br"',
);
const filterChain = fc
  .array(fc.tuple(filterName, fc.array(argument, { maxLength: 2 })), { maxLength: 5 })
  .map((filters) =>
    filters.map(([filter, args]) => ` | ${filter}${args.length > 0 ? `: ${args.join(', ')}` : ''}`).join(''),
  );
const hostile = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      '<',
      '>',
      '"',
      "'",
      '&',
      '&lt;',
      '&amp;',
      'lt;',
      '%3C',
      '%22',
      '\\u003c',
      '\n',
      ' ',
      'x',
      '<img src=x>',
    ),
  }),
  fc.constantFrom('<script>', '"><img src=x onerror=a()>', 'PGI+', '</script><b>', "' onclick='a()", '-->'),
);

test('no chain of filters lets a value write a tag or leave an attribute', () => {
  fc.assert(
    fc.property(fc.array(filterChain, { minLength: 1, maxLength: 2 }), hostile, hostile, (chains, v, w) => {
      const outputs = chains.map(
        (chain, i) =>
          `{% assign e = ${i === 0 ? 'v' : 'e'}${chain} %}{% echo e %}{{ e }}{% cycle e, v %}{{ v${chain} }}`,
      );
      const source = `<p title="${outputs.join('')}">${outputs.join('')}</p>`;
      const rendered = parseTemplate(source, 'html').render({ v, w, l: [v, w, [v]] });
      const rest = rendered.replace('<p title="', '').replace('">', '').replace('</p>', '');
      // A list is written as `<li>`, a line end as `<br />`; both leave no attribute.
      expect(rest.replaceAll(/<\/?li>|<br \/>/g, '')).not.toMatch(/[<>"']/);
    }),
    { numRuns: 10_000 },
  );
});

test('no chain of filters lets a value leave a script of JSON', () => {
  fc.assert(
    fc.property(filterChain, hostile, hostile, (chain, v, w) => {
      const [open, close] = ['<script type="application/ld+json">', '</script>'];
      const source = `${open}{{ v${chain} | json }}{{ l${chain} | json: w }}${close}`;
      const rendered = parseTemplate(source, 'html').render({ v, w, l: [v, w] });
      expect(rendered.slice(open.length, -close.length)).not.toMatch(/[<>&\u2028\u2029]/);
    }),
    { numRuns: 2_000 },
  );
});

const plainUnits = ['a', 'B', 'ü', '東', '😀', '7', ' ', '\u00a0', '_', '-', "'", '.', 'nbsp'];
const header = fc
  .oneof(
    fc.string({ unit: fc.constantFrom(...plainUnits, ' and ', ' or ', ' not ', 'true'), maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...plainUnits, ...'()/:;,#%&?!+*@$§]~^\\'), maxLength: 8 }),
  )
  .map((text) => text.trim())
  // What these write is understood, as a string, a number, a range, or a fallback.
  .filter(
    (text) =>
      text !== '' && !/^['+(]|\?\?/.test(text) && !/(?:^| )(?:and|or|not) .*'|'.* (?:and|or|not) /.test(text),
  );

test('every possible column as a plain name is its value or a syntax error', () => {
  let rendered = 0;
  fc.assert(
    fc.property(header, fc.boolean(), (column, isInTag) => {
      fc.pre(!isInTag || !/(?:^|\s)(?:and|or|not)(?:\s|$)|^true$|^[-+]?\d+(\.\d*)?$/.test(column));
      const source = isInTag ? `{% if ${column} == "<" %}&lt;{% endif %}` : `{{ ${column} }}`;
      let compiled: ReturnType<typeof parseTemplate>;
      try {
        compiled = parseTemplate(source, 'html');
      } catch (error) {
        expect(error).toMatchObject({ name: 'TemplateSyntaxError' });
        return;
      }
      rendered++;
      expect(compiled.render({ [column]: '<', data: { [column]: '<' } })).toBe('&lt;');
      expect(compiled.render({ data: { [column]: '<' } })).toBe('&lt;');
      expect(parseTemplate(`${source}{% if nothing %}{% endif %}`, 'html').render({ [column]: '<' })).toBe(
        '&lt;',
      );
    }),
    { numRuns: 10_000 },
  );
  expect(rendered).toBeGreaterThan(3_000);
});

const fragments = fc.constantFrom(
  '{{ a }}',
  '{{ a | upcase }}',
  '{{ a | split: "" | reverse | join: b }}',
  '{{ l | sort | first }}',
  '{{ a | date: b }}',
  '{{ a | url_decode }}',
  '{{ a | slice: 1, l }}',
  '{{ l | map: a | json }}',
  '{{ a | times: b | divided_by: 0 | round: a }}',
  '{% if a contains b %}x{% elsif l == a %}y{% else %}z{% endif %}',
  '{% for i in l limit: a offset: b reversed %}{{ forloop.index }}{{ i.x.y }}{% else %}none{% endfor %}',
  '{% for i in (a..b) %}{{ i }}{% break %}{% endfor %}',
  '{% assign a = l | where: "x", b %}',
  '{% capture b %}{{ a | truncate: l }}{% endcapture %}',
  '{% cycle a: b, l %}',
  '{% tablerow i in l cols: a %}{{ i }}{% endtablerow %}',
  '{% increment a %}',
  '{% case a %}{% when b, l %}x{% endcase %}',
  '{{ a | default: b | replace: b, a | raw }}',
);

test('rendering never throws', () => {
  const anything = fc.anything({ withBigInt: false, withNullPrototype: true, maxDepth: 3 });
  fc.assert(
    fc.property(fc.array(fragments, { maxLength: 8 }), anything, anything, anything, (parts, a, b, l) => {
      expect(typeof parseTemplate(parts.join(' '), 'html').render({ a, b, l })).toBe('string');
    }),
    { numRuns: 1_000 },
  );
});

test('parsing throws syntax errors only', () => {
  const unit = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    '-',
    ' ',
    'a',
    '"',
    "'",
    '|',
    '??',
    '.',
    '[',
    ']',
    '(',
    '..',
    ')',
    'if',
    'for',
    'endif',
    'raw',
    'endraw',
    'comment',
    '&lt;',
    '\n',
    ':',
    ',',
    '=',
    'upcase',
    'in',
    '1',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 30 }), (source) => {
      try {
        parseTemplate(source, 'html').render({ a: 'x' });
      } catch (error) {
        expect(error).toMatchObject({ name: 'TemplateSyntaxError' });
      }
    }),
    { numRuns: 3_000 },
  );
});
