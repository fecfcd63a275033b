import { describe, expect, test } from 'vitest';
import { parseTemplate } from './index.ts';

const long = 'a'.repeat(900_000);
const needle = `b${'a'.repeat(400_000)}`;

/** Without limits each of these would block the process for minutes or exhaust its memory. */
const heavy: Record<string, string> = {
  'a huge range': '{% for i in (1..1000000000) %}x{% endfor %}',
  'a range beyond exact integers': '{% for i in (9007199254740992..9007199254740994) %}x{% endfor %}',
  'such a range in when':
    '{% case n %}{% when (9007199254740992..9007199254740994) %}x{% else %}y{% endcase %}',
  'such a range in a filter': '{{ "a,b" | split: "," | where: "x[(9007199254740992..9007199254740994)]" }}',
  'such a range in an expression':
    '{{ "a,b" | split: "," | where_exp: "x", "(9007199254740992..9007199254740994)" }}',
  'such a range in a liquid tag':
    '{% liquid\nfor i in (9007199254740992..9007199254740994)\necho i\nendfor %}',
  'nested loops':
    '{% for i in (1..1000) %}{% for j in (1..1000) %}{% for k in (1..1000) %}{% endfor %}{% endfor %}{% endfor %}',
  'long text in nested loops': `{% for i in (1..1000) %}{% for j in (1..1000) %}${'x'.repeat(100_000)}{% endfor %}{% endfor %}`,
  'a capture that doubles itself':
    '{% assign a = "x" %}{% for i in (1..100) %}{% capture a %}{{a}}{{a}}{% endcapture %}{% endfor %}{{ a | url_encode }}',
  'append doubling': '{% assign a = "x" %}{% for i in (1..100) %}{% assign a = a | append: a %}{% endfor %}',
  'replace growing':
    '{% assign a = "x" %}{% for i in (1..99) %}{% assign a = a | replace: "x", "xxxxxxxx" %}{% endfor %}',
  'concat doubling':
    '{% assign a = "x,y" | split: "," %}{% for i in (1..100) %}{% assign a = a | concat: a %}{% endfor %}',
  'a list that holds itself twice':
    '{% assign a = "x" | split: "," %}{% for i in (1..99) %}{% assign a = a | push: a %}{% endfor %}{{ a | join }}',
  'grouped lists as JSON':
    '{% assign a = "x" | split: "," %}{% for i in (1..30) %}{% assign b = a | group_by: "z" %}{% assign a = b | concat: b %}{% endfor %}{{ a | json }}{{ a }}',
  'sorting large ranges': '{% assign a = (1..150000) | sort %}{% assign a = (1..1000000) | sample %}',
  'filters over many items':
    '{% for i in (1..1000) %}{% assign a = (1..100000) | where: "a.b.c", 1 %}{% endfor %}',
  'a long path for many items': `{% assign a = (1..100000) | map: "${'a.'.repeat(20_000)}" %}`,
  'a long date format': `{{ "now" | date: "${'%c'.repeat(20_000)}" }}`,
  'a wide date format': '{{ "now" | date: "%100000000d" }}',
  'a slow search': `{% capture a %}${long}{% endcapture %}{% capture b %}${needle}{% endcapture %}{% if a contains b %}x{% endif %}{{ a | replace: b, "" | size }}`,
  'blank lines in a comment tag': `{% #${'\n'.repeat(45_000)}%}`,
  'a cycle with many groups': `{% for i in (1..1000000) %}{% cycle i: "${'a'.repeat(40_000)}", "b" %}{% endfor %}`,
  'a long condition in a loop': `{% for i in (1..1000) %}{% if ${'1 and '.repeat(8_000)} 1 %}{% endif %}{% endfor %}`,
  'many large values': '{{large}}'.repeat(50_000),
  'deep values': '{{ deepList }}{{ deepObject }}{{ deepList | json | size }}{{ deepList | join | size }}',
};

describe('rendering takes bounded time for any template', () => {
  const vars = { n: 1, large: 'b'.repeat(100_000), deepList: nest([]), deepObject: nest({}) };

  test.each(Object.entries(heavy))('%s', (_name, source) => {
    const compiled = parseTemplate(`${source} the end`, 'html');
    const started = performance.now();
    const output = compiled.render(vars);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(output).toContain('the end');
    expect(output.length).toBeLessThan(13_000_000);
  });
});

describe('parsing takes bounded time for any source', () => {
  test.each([
    ['many outputs', '{{a}}'.repeat(400_000)],
    ['many tags', '{% increment a %}'.repeat(50_000)],
    ['many openers', '{{'.repeat(1_000_000)],
    ['many braces', '{'.repeat(2_000_000)],
    ['an unclosed quote', `{{ "${'a'.repeat(1_900_000)}`],
    ['deep nesting', '{% if a %}'.repeat(5_000) + '{% endif %}'.repeat(5_000)],
    ['many brackets', `{{ ${'a['.repeat(20_000)} }}`],
    ['many parentheses', `{% if ${'('.repeat(20_000)} %}`],
    ['many entities', `{{ a ?? ${'&amp;'.repeat(9_000)} }}`],
    ['unclosed raw blocks', '{% raw %}'.repeat(200_000)],
    ['an output with 49,900 blanks inside', `{{ a${' '.repeat(49_900)}b }}`],
    ['40 such outputs', `{{ a${' '.repeat(49_900)}b }}`.repeat(40)],
    ['40 fallbacks with blanks inside', `{{ a ?? b${'\t'.repeat(49_900)}c }}`.repeat(40)],
    ['40 filters after blanks', `{{ a${'\u00a0'.repeat(49_900)}b | upcase }}`.repeat(40)],
    ['40 conditions with blanks inside', `{% if a${' '.repeat(49_900)}b %}{% endif %}`.repeat(39)],
  ])('%s', (_name, source) => {
    const started = performance.now();
    try {
      parseTemplate(source, 'html');
    } catch (error) {
      expect(error).toMatchObject({ name: 'TemplateSyntaxError' });
    }
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

test('parsing stops at its time limit', () => {
  expect(() => parseTemplate('{{ a | upcase }}'.repeat(20_000), 'html', { milliseconds: 1 })).toThrow(
    'the template takes too long to read',
  );
});

describe('when a limit is reached', () => {
  const source =
    'Hi {{first name}}, {{missing ?? "friend"}}{% for i in (1..1000000000) %}{{i}}{% endfor %}{{ first name | upcase }}!';

  test('variables and fallbacks are filled in, tags and filtered outputs write nothing', () => {
    const result = parseTemplate(source, 'html').renderDetailed({ 'first name': '<Zoë>' });
    expect(result).toMatchObject({ limited: true, text: 'Hi &lt;Zoë&gt;, friend!' });
  });

  test('the next recipient is rendered in full again', () => {
    const compiled = parseTemplate('{% for i in (1..n) %}{{i}}{% endfor %}', 'text');
    expect(compiled.renderDetailed({ n: 1e9 })).toMatchObject({ limited: true, text: '' });
    expect(compiled.renderDetailed({ n: 3 })).toMatchObject({ limited: false, text: '123' });
  });
});

function nest(inner: unknown): unknown {
  let value: unknown = inner;
  for (let i = 0; i < 50_000; i++) value = Array.isArray(inner) ? [value] : { value };
  return value;
}
