import { describe, expect, it } from 'vitest';
import { completeLiquid } from './liquid-completion.rules.ts';

const variables = ['name ?? there', 'email', 'first name'];
const labels = (before: string) => completeLiquid(before, variables)?.options.map(({ label }) => label);

describe('an output', () => {
  it('offers the variables, with their fallbacks', () => {
    expect(completeLiquid('<p>{{ na', variables)).toEqual({
      from: '<p>{{ '.length,
      close: '}}',
      options: variables.map((label) => ({ label, kind: 'variable', isWhole: true })),
    });
  });

  it('offers a name with a space from its beginning', () => {
    expect(completeLiquid('{{first na', variables)?.from).toBe(2);
  });

  it('offers filters after a vertical bar', () => {
    expect(labels('{{ name | up')).toContain('upcase');
    expect(completeLiquid('{{ name | up', variables)?.from).toBe('{{ name | '.length);
  });

  it('offers variables as the argument of a filter', () => {
    expect(labels('{{ price | times: qu')).toContain('email');
  });

  it.each(['{{ name }} and ', '{{ name ?? th', '{{ "a | b', 'no markup', "{{ name ?? don't | "])(
    'offers nothing at the end of %s',
    (before) => {
      expect(completeLiquid(before, variables)?.options.map(({ kind }) => kind) ?? []).not.toContain(
        'variable',
      );
    },
  );
});

describe('a tag', () => {
  it('offers tags, and first those of the block around it', () => {
    expect(labels('{% ')?.slice(0, 2)).toEqual(['assign', 'break']);
    expect(labels('{% if a %}{% for b in c %}{% endfor %}{% e')?.slice(0, 3)).toEqual([
      'endif',
      'elsif',
      'else',
    ]);
  });

  it('offers no tag that templates may not use', () => {
    expect(labels('{% ')).not.toContain('include');
  });

  it('offers names without fallbacks, and those that earlier tags define', () => {
    expect(labels('{% assign total = 1 %}{% for item in items %}{% if to')).toEqual([
      'name',
      'email',
      'first name',
      'total',
      'item',
      'forloop.index',
      'forloop.first',
      'forloop.last',
    ]);
  });
});
