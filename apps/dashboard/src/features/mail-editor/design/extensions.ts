import {
  alignmentOf,
  boxAttribute,
  boxedTypes,
  colorOf,
  lineHeightLimits,
  numberOf,
  sizeLimits,
  thicknessLimits,
} from '@postrider/core/content/templates/contract';
import { type AnyExtension, Extension, Node as TiptapNode } from '@tiptap/core';
import { Placeholder } from '@tiptap/extension-placeholder';
import { StarterKit } from '@tiptap/starter-kit';
import { boxFrom, boxLook } from './box-look.ts';
import { blocks } from './nodes.ts';
import { moveSelected } from './selected-blocks.ts';

const Document = TiptapNode.create({
  name: 'doc',
  topNode: true,
  content: '(block|section)+',
  addAttributes: () => ({
    /** what applies to the whole email; a document in the clipboard has none */
    settings: { default: null, rendered: false },
  }),
});

/** A number that is stored only where it was set. */
const ownNumber = (name: string, limits: readonly [number, number], style: (own: number) => string) => ({
  default: null,
  parseHTML: (element: HTMLElement) => ownOf(element.dataset[name], limits),
  renderHTML(attrs: Record<string, unknown>) {
    const own = ownOf(attrs[name], limits);
    return own === null ? {} : { style: style(own), [`data-${kebab(name)}`]: String(own) };
  },
});

const ownOf = (value: unknown, limits: readonly [number, number]): number | null =>
  value === undefined || value === null ? null : numberOf(value, limits[0], limits);

const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What the inspector sets of texts and dividers, and around every block. */
const TextLook = Extension.create({
  name: 'textLook',
  addGlobalAttributes: () => [
    {
      types: ['paragraph', 'heading', 'bulletList', 'orderedList'],
      attributes: {
        align: {
          default: 'left',
          parseHTML: (element) => alignmentOf(element.style.textAlign),
          renderHTML: ({ align }) => (align === 'left' ? {} : { style: `text-align:${alignmentOf(align)}` }),
        },
        color: {
          default: null,
          parseHTML: (element) => colorOf(element.dataset['color'], null),
          renderHTML({ color }) {
            const own = colorOf(color, null);
            return own === null ? {} : { style: `color:${own}`, 'data-color': own };
          },
        },
        size: ownNumber('size', sizeLimits, (own) => `font-size:${own}px`),
        lineHeight: ownNumber('lineHeight', lineHeightLimits, (own) => `line-height:${own / 100}`),
      },
    },
    {
      types: ['horizontalRule'],
      attributes: {
        color: {
          default: null,
          parseHTML: (element) => colorOf(element.dataset['color'], null),
          renderHTML({ color }) {
            const own = colorOf(color, null);
            return own === null ? {} : { style: `border-top-color:${own}`, 'data-color': own };
          },
        },
        thickness: ownNumber('thickness', thicknessLimits, (own) => `border-top-width:${own}px`),
      },
    },
    {
      types: [...boxedTypes],
      attributes: {
        [boxAttribute]: {
          default: null,
          parseHTML: (element) => boxFrom(element.dataset[boxAttribute]),
          renderHTML: (attrs) => boxLook(attrs[boxAttribute]),
        },
      },
    },
    {
      types: ['paragraph'],
      attributes: {
        small: {
          default: false,
          parseHTML: (element) => element.dataset['small'] === 'true',
          renderHTML: ({ small }) => (small === true ? { 'data-small': 'true' } : {}),
        },
      },
    },
  ],
});

/** Alt with an arrow moves the block at the caret, as in code editors. */
const MoveByKeyboard = Extension.create({
  name: 'moveByKeyboard',
  addKeyboardShortcuts() {
    const { editor } = this;
    return {
      'Alt-ArrowUp': () => moveSelected(editor, -1),
      'Alt-ArrowDown': () => moveSelected(editor, 1),
    };
  },
});

export const extensions: AnyExtension[] = [
  Document,
  StarterKit.configure({
    document: false,
    codeBlock: false,
    code: false,
    heading: { levels: [1, 2, 3] },
    link: { openOnClick: false, autolink: true, defaultProtocol: 'https' },
    dropcursor: { width: 3, class: 'mail-dropcursor' },
  }),
  Placeholder.configure({ placeholder: 'Type / for blocks, {{ for variables' }),
  TextLook,
  MoveByKeyboard,
  ...blocks,
];
