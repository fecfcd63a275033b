import { describe, expect, test } from 'vitest';
import { startCountingSteps } from './steps.fixtures.ts';

const countSteps = startCountingSteps();
const { parseTemplate } = await import('./index.ts');

const shapes: Record<string, (size: number) => string> = {
  'blanks inside an output': (n) => `{{ a${' '.repeat(n)}b }}`,
  'blanks inside 40 outputs': (n) => `{{ a${' '.repeat(n / 8)}b }}`.repeat(40),
  'blanks inside a path': (n) => `{{ a.b${'\u00a0'.repeat(n)}c }}`,
  'blanks inside brackets': (n) => `{{ a[${' '.repeat(n)}0${' '.repeat(n)}] }}`,
  'blanks inside a fallback': (n) => `{{ a ?? b${'\t'.repeat(n)}c }}`,
  'blanks around filters': (n) =>
    `{{ a${' '.repeat(n)}| upcase${' '.repeat(n)}| append${' '.repeat(n)}: "b" }}`,
  'blanks inside a condition': (n) => `{% if a${' '.repeat(n)}and${' '.repeat(n)}b %}{% endif %}`,
  'blanks inside an assignment': (n) => `{% assign a${'\n'.repeat(n)}=${'\n'.repeat(n)}b %}`,
  'blanks beside trimming markup': (n) => `a${' '.repeat(n)}b${' '.repeat(n)}{{- c -}}${' '.repeat(n)}d`,
  'blanks in tags that open nothing': (n) => `{% raw %}{%${' '.repeat(n)}{%${' '.repeat(n)}{% endraw %}`,
  'blank lines in a comment tag': (n) => `{% #${'\n'.repeat(n)}%}`,
  'many outputs': (n) => '{{a}}'.repeat(n),
  'many outputs with filters': (n) => '{{ a | upcase }}'.repeat(n / 4),
  'many tags': (n) => '{% increment a %}'.repeat(n / 4),
  'many raw blocks': (n) => '{% raw %}{{a}}{% endraw %}'.repeat(n / 4),
  'many comments': (n) => '{% comment %}{{a}}{% endcomment %}'.repeat(n / 4),
  'many unclosed raw blocks': (n) => '{% raw %}'.repeat(n),
  'many openers': (n) => '{{'.repeat(n),
  'many braces': (n) => '{'.repeat(n),
  'many lines of a liquid tag': (n) => `{% liquid\n${'increment a\n'.repeat(n / 4)}%}`,
  'many branches': (n) => `{% case a %}${'{% when 1 %}b'.repeat(n / 4)}{% endcase %}`,
  'many values of a branch': (n) => `{% case a %}{% when ${'1, '.repeat(n)}2 %}{% endcase %}`,
  'many arguments': (n) => `{{ a | append: ${'1, '.repeat(n)}2 }}`,
  'many loop options': (n) => `{% for a in b ${'limit:1 '.repeat(n / 2)}%}{% endfor %}`,
  'many values of a cycle': (n) => `{% cycle ${'"a", '.repeat(n / 2)}"b" %}`,
  'a long chain of filters': (n) => `{{ a ${'| upcase '.repeat(n / 4)}}}`,
  'a long chain of fallbacks': (n) => `{{ a ${'?? b '.repeat(n / 2)}}}`,
  'filters and fallbacks by turns': (n) => `{{ a ${'| upcase ?? b '.repeat(n / 8)}}}`,
  'a long condition': (n) => `{% if ${'a and '.repeat(n / 2)}b %}{% endif %}`,
  'a long path': (n) => `{{ ${'a.'.repeat(n)}b }}`,
  'a long path of brackets': (n) => `{{ a${'[0]'.repeat(n)} }}`,
  'a long path in a condition': (n) => `{% if ${'a.'.repeat(n)}b %}{% endif %}`,
  'nested brackets': (n) => `{{ ${'a['.repeat(n / 8)}0${']'.repeat(n / 8)} }}`,
  'open brackets': (n) => `{{ ${'a['.repeat(n)} }}`,
  'open parentheses': (n) => `{% if ${'('.repeat(n / 8)} %}`,
  'a long number': (n) => `{{ ${'1'.repeat(n)}.a | plus: ${'1'.repeat(n)}a }}`,
  'numbers with many dots': (n) => `{% if ${'1.'.repeat(n)} %}{% endif %}`,
  'long quotes': (n) => `{{ "${'a'.repeat(n)}" | append: '${'\\"'.repeat(n)}' }}`,
  'an unclosed quote': (n) => `{{ "${'a'.repeat(n)}`,
  'an unclosed quoted key': (n) => `{{ a["${'b'.repeat(n)}] }}`,
  'many entities': (n) => `{{ a ?? ${'&amp;'.repeat(n / 2)} }}`,
  'entities in a tag': (n) => `{% if a &gt; ${'&nbsp;'.repeat(n / 2)}1 %}{% endif %}`,
  'deep nesting': (n) => '{% if a %}'.repeat(n / 4) + '{% endif %}'.repeat(n / 4),
  'outputs beyond HTML text': (n) => `<p title="{{a}}" ${'<!-- {{a}} -->'.repeat(n / 4)}`,
};

describe('the work of parsing grows with the source, not with its square', () => {
  test.each(Object.entries(shapes))('%s', (_name, shape) => {
    stepsToParse(shape(400));
    const small = stepsToParse(shape(4_000));
    const large = stepsToParse(shape(16_000));
    expect(small).toBeGreaterThan(0);
    // Four times the source: linear work is counted about 4 times, quadratic work 16 times.
    expect(large).toBeLessThan(small * 8);
  });
});

test('the count grows with the square for work that does', () => {
  const parseEachPrefix = (n: number): void => {
    for (let i = 0; i < n; i++) parseTemplate('{{a}}'.repeat(i), 'text');
  };
  parseEachPrefix(10);
  const small = countSteps(() => parseEachPrefix(50));
  expect(countSteps(() => parseEachPrefix(200))).toBeGreaterThan(small * 10);
});

function stepsToParse(source: string): number {
  return countSteps(() => {
    try {
      parseTemplate(source, 'html');
    } catch (error) {
      expect(error).toMatchObject({ name: 'TemplateSyntaxError' });
    }
  });
}
