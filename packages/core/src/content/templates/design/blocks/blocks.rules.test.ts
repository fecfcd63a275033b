import { describe, expect, it } from 'vitest';
import { defaultBrand } from '../../../../people/projects/brand.rules.ts';
import { compileDesign } from '../compile.rules.ts';
import { defaultDesign } from '../default-design.rules.ts';
import type { DesignNode, MailDesign } from '../design.rules.ts';
import type { NumberAttribute } from './attributes.rules.ts';
import type { BlockDefinition } from './block.rules.ts';
import { blockDefinition, blockDefinitions } from './blocks.rules.ts';
import { buttonBlock } from './button.block.ts';
import { conditionBlock } from './condition.block.ts';
import { imageBlock } from './image.block.ts';
import { socialBlock } from './social.block.ts';

const base: MailDesign = defaultDesign({ name: 'Example Shop', brand: { ...defaultBrand } });
const inside: DesignNode[] = [{ type: 'paragraph', content: [{ type: 'text', text: 'Inside' }] }];

/** A new block with attributes, in a design where its type allows it. */
function compiled({ type, inline }: BlockDefinition, attrs: Record<string, unknown>): string {
  const node = { type, attrs, content: inside };
  const content = [inline ? { type: 'paragraph', content: [node] } : node];
  const design = { ...base, content: { type: 'doc', content } };
  return compileDesign(design, { subject: 'News', language: 'en' });
}

const unusable = [undefined, null, '', '"><script>', -1e9, 1e9, Number.NaN, true, [], [null], {}, { a: 1 }];

/** Liquid is kept as it was given, and so is HTML that was written by hand. */
const withoutLiquid = (html: string): string => html.replaceAll(/\{\{.*?\}\}|\{%.*?%\}/g, '');

const every: (readonly [string, BlockDefinition])[] = blockDefinitions.map((block) => [block.type, block]);

describe.each(every)('the block %s', (type, block) => {
  const attributes = Object.entries(block.attributes);

  it('is found by its type', () => expect(blockDefinition(type)).toBe(block));

  it('compiles as it is when it is new', () => {
    const attrs = Object.fromEntries(attributes.map(([name, attribute]) => [name, attribute.default]));
    expect(compiled(block, attrs)).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('compiles whatever is stored, and puts no code of it into the email', () => {
    for (const value of unusable) {
      const attrs = Object.fromEntries(attributes.map(([name]) => [name, value]));
      const html = withoutLiquid(compiled(block, attrs));
      expect(html).not.toMatch(/undefined|null|NaN|\[object/);
      expect(html.includes('<script')).toBe(type === 'html' && value === '"><script>');
    }
  });

  it('keeps numbers within their limits', () => {
    for (const [name, attribute] of attributes) {
      if (!('limits' in attribute)) continue;
      const [min, max] = (attribute as NumberAttribute).limits;
      const read = (value: unknown) => block.read({ [name]: value })[name];
      expect([min - 1, max + 1, min + 0.4, String(max)].map(read)).toEqual([min, max, min, max]);
    }
  });
});

describe('what is stored of a block', () => {
  it('is replaced where it cannot be used', () =>
    expect(
      buttonBlock.read({ label: 5, align: 'justify', background: 'red', color: '#12', padding: null }),
    ).toEqual({
      label: '',
      href: '',
      align: 'left',
      background: null,
      color: '#ffffff',
      radius: 8,
      padding: 14,
      size: 16,
      wide: false,
    }));

  it.each([
    [null, 536],
    ['', 536],
    [undefined, 536],
    [4, 8],
    [120.4, 120],
    [900, 536],
  ])('makes the width %j of an image %i pixels', (width, expected) =>
    expect(imageBlock.read({ width }).width).toBe(expected),
  );

  it('is not what a new block has if it is missing, where an empty text means something', () => {
    expect(conditionBlock.read({}).test).toBe('');
    expect(socialBlock.read(undefined).links).toEqual([]);
  });
});

it('unknown nodes have no definition, whatever their name', () => {
  for (const type of ['countdown', 'constructor', 'toString', '', undefined, null, 5])
    expect(blockDefinition(type)).toBeUndefined();
});
