import { expect, it } from 'vitest';
import { liquidBlocks, liquidFilters, liquidTags } from '../liquid-words.rules.ts';
import { engine } from './engine.ts';
import { parseTemplate } from './parse-template.ts';

const refused = ['#', 'block', 'include', 'layout', 'render'];

it('editors offer the filters and tags of the language, and no others', () => {
  expect([...liquidFilters].sort()).toEqual(Object.keys(engine.filters).sort());
  expect([...liquidTags, ...refused].sort()).toEqual(Object.keys(engine.tags).sort());
});

it.each(Object.entries(liquidBlocks))('the block %s ends with its own tag', (name, dividers) => {
  const heads: Record<string, string> = {
    capture: 'capture a',
    case: 'case a',
    for: 'for a in b',
    tablerow: 'tablerow a in b',
    unless: 'unless a',
    if: 'if a',
  };
  const parts = dividers.map((divider) =>
    divider === 'when' || divider === 'elsif' ? `{% ${divider} 1 %}` : `{% ${divider} %}`,
  );
  const source = `{% ${heads[name] ?? name} %}${parts.join('')}{% end${name} %}`;
  expect(() => parseTemplate(source, 'html')).not.toThrow();
});
