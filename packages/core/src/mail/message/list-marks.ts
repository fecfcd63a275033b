import { type Attributes, styleOf } from './hidden-styles.ts';

type Numbering = 'digits' | 'lower-alpha' | 'upper-alpha' | 'lower-roman' | 'upper-roman' | 'none';

/** The attribute `type`, whose case counts. */
const TYPES = new Map<string, Numbering>([
  ['1', 'digits'],
  ['a', 'lower-alpha'],
  ['A', 'upper-alpha'],
  ['i', 'lower-roman'],
  ['I', 'upper-roman'],
]);
/** The property `list-style-type`, which editors write into the element. */
const STYLES = new Map<string, Numbering>([
  ['decimal', 'digits'],
  ['lower-alpha', 'lower-alpha'],
  ['lower-latin', 'lower-alpha'],
  ['upper-alpha', 'upper-alpha'],
  ['upper-latin', 'upper-alpha'],
  ['lower-roman', 'lower-roman'],
  ['upper-roman', 'upper-roman'],
  ['none', 'none'],
]);
const ROMAN = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
] as const;
const MAX_ROMAN = 3999;
const MAX_NUMBER = 2 ** 31;

/** The marks of a list's items, numbered as browsers number them (HTML, "ordinal value"). */
export class ListMarks {
  private readonly isOrdered: boolean;
  private readonly numbering: Numbering;
  private readonly step: 1 | -1;
  private number: number;

  /** @param size the number of items, with which a list begins that counts down */
  constructor(name: 'ul' | 'ol', attributes: Attributes, size: number) {
    const isReversed = attributes.has('reversed');
    this.isOrdered = name === 'ol';
    this.numbering = numberingOf(attributes) ?? 'digits';
    this.step = isReversed ? -1 : 1;
    this.number = integerOf(attributes.get('start')) ?? (isReversed ? size : 1);
  }

  /** @param attributes of the item */
  next(attributes: Attributes): string {
    if (!this.isOrdered) return '-';
    const number = integerOf(attributes.get('value')) ?? this.number;
    this.number = number + this.step;
    const numbering = numberingOf(attributes) ?? this.numbering;
    return numbering === 'none' ? '-' : `${written(number, numbering)}.`;
  }
}

function numberingOf(attributes: Attributes): Numbering | undefined {
  const style = styleOf(attributes, 'list-style-type') || styleOf(attributes, 'list-style').split(/\s+/)[0];
  return STYLES.get(style ?? '') ?? TYPES.get(attributes.get('type') ?? '');
}

function integerOf(text: string | undefined): number | null {
  const digits = /^[ \t\n\f\r]*([+-]?\d+)/.exec(text ?? '')?.[1];
  const number = Number(digits ?? Number.NaN);
  return Math.abs(number) < MAX_NUMBER ? number : null;
}

/** Letters and Roman numbers have no zero and nothing below; browsers write digits there. */
function written(number: number, numbering: Numbering): string {
  if (numbering === 'digits' || number < 1) return String(number);
  if (numbering.endsWith('roman') && number > MAX_ROMAN) return String(number);
  const lower = numbering.endsWith('alpha') ? letters(number) : roman(number);
  return numbering.startsWith('upper') ? lower.toUpperCase() : lower;
}

function letters(number: number): string {
  let text = '';
  for (let left = number; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(97 + ((left - 1) % 26)) + text;
  return text;
}

function roman(number: number): string {
  let text = '';
  let left = number;
  for (const [value, letter] of ROMAN) {
    const times = Math.floor(left / value);
    text += letter.repeat(times);
    left -= times * value;
  }
  return text;
}
