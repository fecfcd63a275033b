import { type Brand, brandFontStacks } from '@postrider/core/projects/contract';
import { type DesignNode, designVersion, type MailDesign } from './design.rules.ts';

/** What a new email begins with: the logo or the name of the project, a greeting, a text, and a button, in its colours and font. */
export function defaultDesign({ name, brand }: { name: string; brand: Brand }): MailDesign {
  return {
    version: designVersion,
    settings: {
      background: brand.backgroundColor,
      card: '#ffffff',
      text: brand.textColor,
      primary: brand.primaryColor,
      font: brandFontStacks[brand.font],
    },
    content: {
      type: 'doc',
      content: [
        brand.logoUrl === null
          ? heading(3, text(name))
          : { type: 'image', attrs: { src: brand.logoUrl, alt: name, width: 120 } },
        { type: 'spacer', attrs: { height: 8 } },
        heading(1, text('Hello '), { type: 'variable', attrs: { expression: 'name ?? there' } }),
        paragraph('Write your message here.'),
        { type: 'button', attrs: { label: 'Learn more' } },
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
