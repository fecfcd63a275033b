import { brandFontStacks } from '../../../people/projects/brand.rules.ts';
import type { Brand } from '../../../people/projects/brand.schema.ts';
import { cardRadius, type DesignNode, designVersion, type MailDesign } from './design.rules.ts';

/** What a design has of its project. */
export interface Look {
  name: string;
  brand: Brand;
}

/** What a new email begins with. */
export const defaultDesign = (project: Look): MailDesign => brandedDesign(project, defaultBlocks);

/** The blocks below the logo or the name of the project and above its address, in its colours and font. */
export function brandedDesign({ name, brand }: Look, blocks: readonly DesignNode[]): MailDesign {
  return {
    version: designVersion,
    settings: {
      background: brand.backgroundColor,
      card: '#ffffff',
      text: brand.textColor,
      primary: brand.primaryColor,
      font: brandFontStacks[brand.font],
      radius: cardRadius,
    },
    content: {
      type: 'doc',
      content: [
        brand.logoUrl === null
          ? heading(3, text(name))
          : { type: 'image', attrs: { src: brand.logoUrl, alt: name, width: 120 } },
        { type: 'spacer', attrs: { height: 8 } },
        ...blocks,
        ...(brand.address === null ? [] : [{ type: 'horizontalRule' }, small(brand.address)]),
      ],
    },
  };
}

const text = (value: string): DesignNode => ({ type: 'text', text: value });

const heading = (level: number, ...content: DesignNode[]): DesignNode => ({
  type: 'heading',
  attrs: { level },
  content,
});

const paragraph = (value: string): DesignNode => ({ type: 'paragraph', content: [text(value)] });

const small = (value: string): DesignNode => ({
  type: 'paragraph',
  attrs: { small: true },
  content: [text(value)],
});

/** A greeting, a text, and a button. */
export const defaultBlocks: readonly DesignNode[] = [
  heading(1, text('Hello '), { type: 'variable', attrs: { expression: 'firstName ?? there' } }),
  paragraph('Write your message here.'),
  { type: 'button', attrs: { label: 'Learn more' } },
];
