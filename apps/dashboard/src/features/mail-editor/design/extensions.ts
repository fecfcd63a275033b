import { alignmentOf, colorOf } from '@postrider/core/content/templates/contract';
import { type AnyExtension, Extension, Node as TiptapNode } from '@tiptap/core';
import { Placeholder } from '@tiptap/extension-placeholder';
import { StarterKit } from '@tiptap/starter-kit';
import { blocks } from './nodes.ts';
import { moveSelected } from './selected-blocks.ts';

const Document = TiptapNode.create({ name: 'doc', topNode: true, content: '(block|section)+' });

/** What the inspector sets of texts. */
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
