import { describe, expect, test } from 'vitest';
import { parseTemplate } from './index.ts';

describe('any source is parsed or refused with a place', () => {
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
    try {
      parseTemplate(source, 'html');
    } catch (error) {
      expect(error).toMatchObject({ name: 'TemplateSyntaxError' });
    }
  });
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
