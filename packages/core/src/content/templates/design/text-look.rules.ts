import { type DesignNode, numberOf } from './design.rules.ts';

/** The size of a text in pixels, and the height of its lines in percent of the size. */
export interface TextLook {
  size: number;
  lineHeight: number;
}

export const sizeLimits = [10, 72] as const;
export const lineHeightLimits = [100, 240] as const;

/** What applies to headings until they have their own, by level. */
const headingLooks: Readonly<Record<number, TextLook>> = {
  1: { size: 30, lineHeight: 125 },
  2: { size: 22, lineHeight: 130 },
  3: { size: 17, lineHeight: 140 },
};

const plainLook: TextLook = { size: 16, lineHeight: 160 };

/** Of small print. */
const smallSize = 13;

/** What a text has until it gets its own. */
export function initialLook(type: unknown, attrs: DesignNode['attrs']): TextLook {
  if (type === 'heading') return headingLooks[numberOf(attrs?.['level'], 1, [1, 3])] ?? plainLook;
  return attrs?.['small'] === true ? { ...plainLook, size: smallSize } : plainLook;
}

/** What a text has. @param initial what applies where it has none of its own */
export const lookOf = (attrs: DesignNode['attrs'], initial: TextLook): TextLook => ({
  size: numberOf(attrs?.['size'], initial.size, sizeLimits),
  lineHeight: numberOf(attrs?.['lineHeight'], initial.lineHeight, lineHeightLimits),
});

/** As a part of an inline style. */
export const lookStyle = ({ size, lineHeight }: TextLook): string =>
  `font-size:${size}px;line-height:${lineHeight / 100}`;

/** Above these, in pixels, a text is smaller on phones. */
const [large, huge] = [26, 44];

/** The class of a text that is smaller on phones; empty for others. */
export const sizeClass = ({ size }: TextLook): string => (size > huge ? 'huge' : size > large ? 'large' : '');
