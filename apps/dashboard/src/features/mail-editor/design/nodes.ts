import {
  type BlockDefinition,
  type BlockType,
  blockDefinitions,
} from '@postrider/core/content/templates/contract';
import { type Attributes, mergeAttributes, Node as TiptapNode } from '@tiptap/core';
import { blockView } from './block-views.ts';

type Attrs = Record<string, unknown>;

const stored = 'data-design';

/** The node of a block. Its attributes are in its element too, so that it can be copied and pasted. */
function nodeOf({ type, inline = false, attributes, read }: BlockDefinition<BlockType>): TiptapNode {
  const { group, content, draw, node: behaviour } = blockView(type);
  return TiptapNode.create({
    name: type,
    group,
    inline,
    ...(content === null ? { atom: true, draggable: !inline } : { content, defining: true, isolating: true }),
    selectable: true,
    addAttributes: () =>
      Object.fromEntries(
        Object.entries(attributes).map(([name, attribute]) => [
          name,
          { default: attribute.default, rendered: false },
        ]),
      ) as Attributes,
    parseHTML: () => [{ tag: `[data-block="${type}"]`, getAttrs: (element) => readAttrs(element) }],
    renderHTML({ node, HTMLAttributes }) {
      const [tag, ...rest] = draw(read(node.attrs));
      const [first, ...others] = rest;
      const own = typeof first === 'object' && !Array.isArray(first) ? first : {};
      const children = own === first ? others : rest;
      const attributes = mergeAttributes(own, HTMLAttributes, {
        'data-block': type,
        [stored]: JSON.stringify(node.attrs),
      });
      return [tag, attributes, ...children] as unknown as [string, ...unknown[]];
    },
    ...behaviour,
  });
}

function readAttrs(element: HTMLElement): Attrs {
  try {
    const value: unknown = JSON.parse(element.getAttribute(stored) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Attrs) : {};
  } catch {
    // Pasted from elsewhere: a block with its defaults.
    return {};
  }
}

export const blocks = blockDefinitions.map((definition) => nodeOf(definition));
