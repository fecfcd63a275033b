import {
  addressOf,
  alignmentOf,
  cleanExpression,
  colorOf,
  numberOf,
  socialLinksOf,
  textOf,
} from '@postrider/core/content/templates/contract';
import { type Attributes, InputRule, Node as TiptapNode } from '@tiptap/core';

type Attrs = Record<string, unknown>;
/** DOM as ProseMirror describes it: tag, attributes, children; 0 is where the content goes. */
type Dom = [string, ...(Record<string, string> | string | 0 | Dom)[]];

const stored = 'data-design';

interface BlockOptions {
  name: string;
  group: string;
  defaults: Attrs;
  /** without it the block is one piece, which is edited beside the document */
  content?: string;
  inline?: boolean;
  draw: (attrs: Attrs) => Dom;
}

/** A block of the editor. Its attributes are in its element too, so that it can be copied and pasted. */
const block = ({ name, group, defaults, content, inline = false, draw }: BlockOptions) =>
  TiptapNode.create({
    name,
    group,
    inline,
    ...(content === undefined
      ? { atom: true, draggable: !inline }
      : { content, defining: true, isolating: true }),
    selectable: true,
    addAttributes: () =>
      Object.fromEntries(
        Object.entries(defaults).map(([key, value]) => [key, { default: value, rendered: false }]),
      ) as Attributes,
    parseHTML: () => [{ tag: `[data-block="${name}"]`, getAttrs: (element) => readAttrs(element) }],
    renderHTML({ node }) {
      const [tag, ...rest] = draw(node.attrs);
      const [first, ...others] = rest;
      const own = typeof first === 'object' && !Array.isArray(first) ? first : {};
      const children = own === first ? others : rest;
      const attributes = { ...own, 'data-block': name, [stored]: JSON.stringify(node.attrs) };
      return [tag, attributes, ...children] as unknown as [string, ...unknown[]];
    },
  });

function readAttrs(element: HTMLElement): Attrs {
  try {
    const value: unknown = JSON.parse(element.getAttribute(stored) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Attrs) : {};
  } catch {
    // Pasted from elsewhere: a block with its defaults.
    return {};
  }
}

const aligned = (attrs: Attrs): string => `text-align:${alignmentOf(attrs['align'])}`;

const ButtonBlock = block({
  name: 'button',
  group: 'block',
  defaults: {
    label: 'Button',
    href: '',
    align: 'left',
    background: null,
    color: '#ffffff',
    radius: 8,
    padding: 14,
  },
  draw: (attrs) => {
    const color = colorOf(attrs['background'], null);
    const padding = numberOf(attrs['padding'], 14, [6, 30]);
    const style = [
      `color:${colorOf(attrs['color'], '#ffffff')}`,
      `border-radius:${numberOf(attrs['radius'], 8, [0, 40])}px`,
      `padding:${padding}px ${padding * 2}px`,
      ...(color === null ? [] : [`background-color:${color}`]),
    ].join(';');
    return [
      'div',
      { style: aligned(attrs) },
      ['span', { class: 'mail-button', style }, textOf(attrs['label']) || 'Button'],
    ];
  },
});

const ImageBlock = block({
  name: 'image',
  group: 'block',
  defaults: { src: '', alt: '', href: '', width: null, align: 'left', radius: 0 },
  draw: (attrs) => {
    const src = addressOf(attrs['src']);
    if (src === '' || src.includes('{{'))
      return ['div', { class: 'mail-placeholder' }, src === '' ? 'Choose an image' : `Image ${src}`];
    const width = numberOf(attrs['width'], 536, [8, 536]);
    const style = `max-width:min(100%,${width}px);border-radius:${numberOf(attrs['radius'], 0, [0, 40])}px`;
    return ['div', { style: aligned(attrs) }, ['img', { src, alt: textOf(attrs['alt']), style }]];
  },
});

const Spacer = block({
  name: 'spacer',
  group: 'block',
  defaults: { height: 24 },
  draw: ({ height }) => [
    'div',
    { class: 'mail-spacer', style: `height:${numberOf(height, 24, [4, 200])}px` },
  ],
});

const Social = block({
  name: 'social',
  group: 'block',
  defaults: {
    align: 'left',
    links: [
      { network: 'LinkedIn', href: 'https://www.linkedin.com/company/' },
      { network: 'X', href: 'https://x.com/' },
    ],
  },
  draw: (attrs) => {
    const links = socialLinksOf(attrs['links']).map(
      ({ network }): Dom => ['span', { class: 'mail-social' }, network],
    );
    const style = aligned(attrs);
    return links.length === 0
      ? ['div', { class: 'mail-placeholder' }, 'Add social links']
      : ['div', { style }, ...links];
  },
});

/** HTML that the editor does not take apart; its code is shown. */
const Html = block({
  name: 'html',
  group: 'block',
  defaults: { html: '' },
  draw: ({ html }) => [
    'pre',
    { class: 'mail-html', 'data-label': 'HTML' },
    textOf(html).slice(0, shownCode) || 'Write HTML beside the email',
  ],
});

const shownCode = 400;

const Column = block({
  name: 'column',
  group: 'cell',
  content: 'block+',
  defaults: {},
  draw: () => ['div', { class: 'mail-column' }, 0],
});

const Columns = block({
  name: 'columns',
  group: 'section',
  content: 'column{2,3}',
  defaults: {},
  draw: () => ['div', { class: 'mail-columns' }, 0],
});

const Panel = block({
  name: 'panel',
  group: 'section',
  content: 'block+',
  defaults: { background: '#f4f4f2', padding: 20 },
  draw: ({ background, padding }) => [
    'div',
    {
      class: 'mail-panel',
      style: `background-color:${colorOf(background, '#f4f4f2')};padding:${numberOf(padding, 20, [0, 60])}px`,
    },
    0,
  ],
});

const Condition = block({
  name: 'condition',
  group: 'section',
  content: '(block|columns|panel)+',
  defaults: { test: 'plan == "pro"' },
  draw: ({ test }) => ['div', { class: 'mail-condition', 'data-test': `If ${textOf(test) || '…'}` }, 0],
});

/** A variable. Typing `{{name}}` makes one. */
const Variable = block({
  name: 'variable',
  group: 'inline',
  inline: true,
  defaults: { expression: '' },
  draw: ({ expression }) => ['span', { class: 'mail-variable' }, textOf(expression) || 'variable'],
}).extend({
  renderText: ({ node }) => `{{${textOf(node.attrs['expression'])}}}`,
  addInputRules() {
    const { type } = this;
    return [
      new InputRule({
        find: /\{\{([^{}]+)\}\}$/,
        handler({ state, range, match }) {
          const expression = cleanExpression(match[1] ?? '');
          if (expression !== '') state.tr.replaceWith(range.from, range.to, type.create({ expression }));
        },
      }),
    ];
  },
});

export const blocks = [
  ButtonBlock,
  ImageBlock,
  Spacer,
  Social,
  Html,
  Column,
  Columns,
  Panel,
  Condition,
  Variable,
];
