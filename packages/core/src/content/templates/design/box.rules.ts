import { withOwnColors } from './blocks/own-colors.rules.ts';
import { colorOf, isObject, numberOf } from './design.rules.ts';

/** What can be set around a block: a ground of its own, space, and whether phones show it. */
export interface Box {
  /** the colour behind it; null for that of the card */
  ground: string | null;
  /** in pixels */
  above: number;
  below: number;
  sides: number;
  noPhone: boolean;
}

/** Of the spaces, in pixels. */
export const boxLimits = [0, 80] as const;

/** The name of the attribute of a node that has its box. A block without one stores null. */
export const boxAttribute = 'box';

const withGround = [
  'paragraph',
  'heading',
  'bulletList',
  'orderedList',
  'button',
  'image',
  'social',
  'html',
  'address',
  'columns',
];

/** Of blocks with a ground, a line or a height of their own, the box only says whether phones show them. */
const withoutGround = ['blockquote', 'horizontalRule', 'panel', 'spacer'];

/** The types of nodes that can have a box. */
export const boxedTypes: readonly string[] = [...withGround, ...withoutGround];

const boxed: ReadonlySet<unknown> = new Set(boxedTypes);
const grounds: ReadonlySet<unknown> = new Set(withGround);

/** Whether a block can have a ground and space around it. */
export const hasGround = (type: unknown): boolean => grounds.has(type);

/** Reads what is stored, which any program may have written. */
export function readBox(type: unknown, stored: unknown): Box {
  const given = isObject(stored) ? stored : {};
  const noPhone = given['noPhone'] === true && boxed.has(type);
  if (!hasGround(type)) return { ...noBox, noPhone };
  return {
    ground: colorOf(given['ground'], null),
    above: numberOf(given['above'], 0, boxLimits),
    below: numberOf(given['below'], 0, boxLimits),
    sides: numberOf(given['sides'], 0, boxLimits),
    noPhone,
  };
}

const noBox: Box = { ground: null, above: 0, below: 0, sides: 0, noPhone: false };

/** What is stored of a box: null if it changes nothing. */
export const storedBox = (box: Box): Box | null => (isPlain(box) ? null : box);

const isPlain = ({ ground, above, below, sides, noPhone }: Box): boolean =>
  ground === null && above === 0 && below === 0 && sides === 0 && !noPhone;

/** The HTML of a block with its box around it. */
export function boxHtml(box: Box, html: string): string {
  if (html === '' || isPlain(box)) return html;
  const { ground, above, below, sides, noPhone } = box;
  const background = ground === null ? '' : `;background-color:${ground}`;
  const inside = ground === null ? html : withOwnColors(html);
  return `<table role="presentation"${noPhone ? ' class="no-phone"' : ''} width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td style="padding:${above}px ${sides}px ${below}px${background}">\n${inside}\n</td></tr></table>`;
}
