import { type DesignNode, starterDesign, starters } from '@postrider/core/content/templates/contract';
import { defaultBrand } from '@postrider/core/people/projects/contract';
import { getSchema } from '@tiptap/core';
import { describe, expect, it } from 'vitest';
import { extensions } from './extensions.ts';
import { insertions } from './insertions.ts';
import { nodesOf } from './saved-blocks.ts';
import { movableAt } from './selected-blocks.ts';

const schema = getSchema(extensions);
const paragraph = (text: string): DesignNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const saved = (...content: DesignNode[]) => ({
  body: '<p>Saved</p>',
  design: { version: 1, settings: {}, content: { type: 'doc', content } },
});

describe('the insert menu', () => {
  it('offers blocks in an order that people know, and new ones after them', () => {
    const known = [
      'Text',
      'Heading 1',
      'Heading 2',
      'Heading 3',
      'Button',
      'Image',
      'Divider',
      'Spacer',
      'Bullet list',
      'Numbered list',
      'Quote',
      'Two columns',
      'Three columns',
      'Panel',
      'Condition',
      'Social links',
      'HTML',
    ];
    expect(insertions.slice(0, known.length).map(({ label }) => label)).toEqual(known);
  });

  it.each(insertions.map(({ label, node }) => [label, node] as const))(
    'offers %s as a node that the editor can hold',
    (_label, node) => expect(() => schema.nodeFromJSON(node).check()).not.toThrow(),
  );
});

it.each(Object.keys(starters) as (keyof typeof starters)[])(
  'the starter %s is a document that the editor can hold',
  (name) => {
    const { content } = starterDesign(name, { name: 'Example Shop', brand: { ...defaultBrand } });
    expect(() => schema.nodeFromJSON(content).check()).not.toThrow();
  },
);

describe('a saved block that is inserted', () => {
  it('is the blocks that it was made from', () => {
    const content = [paragraph('Hello'), { type: 'panel', content: [paragraph('Inside')] }];
    expect(nodesOf(schema, saved(...content))).toEqual(content);
  });

  it.each([
    ['it was written as HTML', { body: '<p>Saved</p>' }],
    ['it has no blocks', saved()],
    ['it is of another program', { body: '<p>Saved</p>', design: { blocks: [] } }],
    ['it has a block that is not known here', saved({ type: 'panel', content: [{ type: 'countdown' }] })],
    ['it has a row without columns', saved({ type: 'columns' })],
    [
      'it has a format that is not known here',
      saved({ type: 'paragraph', content: [{ type: 'text', text: 'x', marks: [{ type: 'glow' }] }] }),
    ],
  ])('is its HTML if %s', (_reason, block) =>
    expect(nodesOf(schema, block)).toEqual([{ type: 'html', attrs: { html: '<p>Saved</p>' } }]),
  );
});

describe('the block that is moved', () => {
  const doc = schema.nodeFromJSON({
    type: 'doc',
    content: [
      paragraph('First'),
      {
        type: 'columns',
        content: [
          { type: 'column', content: [paragraph('Left')] },
          { type: 'column', content: [paragraph('Right')] },
        ],
      },
      { type: 'bulletList', content: [{ type: 'listItem', content: [paragraph('Item')] }] },
      { type: 'button' },
    ],
  });
  const positionOf = (matches: (text: string, type: string) => boolean): number => {
    const found: number[] = [];
    doc.descendants((node, position) => {
      if (matches(node.text ?? '', node.type.name)) found.push(position);
    });
    return found[0] ?? -1;
  };
  const movable = (position: number) => {
    const at = movableAt(doc, position);
    const node = at === null ? null : doc.nodeAt(at);
    return [node?.type.name, node?.textContent];
  };

  it.each([
    ['First', ['paragraph', 'First']],
    ['Right', ['paragraph', 'Right']],
    ['Item', ['bulletList', 'Item']],
  ])('at the text %s is %j', (words, expected) =>
    expect(movable(positionOf((text) => text === words) + 1)).toEqual(expected),
  );

  it('is a block that is one piece, or holds others, at its own position', () => {
    expect(movable(positionOf((_text, type) => type === 'button'))).toEqual(['button', '']);
    expect(movable(positionOf((_text, type) => type === 'columns'))).toEqual(['columns', 'LeftRight']);
  });

  it('is never a column, which belongs to its row', () =>
    expect(movable(positionOf((_text, type) => type === 'column'))).toEqual(['columns', 'LeftRight']));
});
