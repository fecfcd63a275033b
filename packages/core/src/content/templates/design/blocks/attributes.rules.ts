import { type Alignment, alignmentOf, colorOf, numberOf, textOf } from '../design.rules.ts';

/** One attribute of a block. */
export interface Attribute<Value = unknown> {
  /** what a new block is stored with */
  readonly default: unknown;
  /** Reads what is stored, which any program may have written: what cannot be used is replaced, and nothing throws. */
  read(stored: unknown): Value;
}

type Limits = readonly [min: number, max: number];

/** The limits are also those of its control. */
export interface NumberAttribute extends Attribute<number> {
  readonly limits: Limits;
}

/** A text that cannot be used is empty, also if that of a new block is not. */
export const text = (initial = ''): Attribute<string> => ({ default: initial, read: textOf });

export const pixels = (initial: number, limits: Limits): NumberAttribute => ({
  default: initial,
  limits,
  read: (stored) => numberOf(stored, initial, limits),
});

/** @param initial null if the block has the colour of something else until it gets its own */
export const color = <Initial extends string | null>(initial: Initial): Attribute<string | Initial> => ({
  default: initial,
  read: (stored) => colorOf(stored, initial),
});

/** Yes or no; no until it is set. */
export const flag = (): Attribute<boolean> => ({ default: false, read: (stored) => stored === true });

/** One of a few words, of which the first applies until another is chosen. */
export const choice = <const Choices extends readonly [string, ...string[]]>(
  choices: Choices,
): Attribute<Choices[number]> => ({
  default: choices[0],
  read: (stored) => choices.find((each): each is Choices[number] => each === stored) ?? choices[0],
});

export const alignment = (): Attribute<Alignment> => ({ default: 'left', read: alignmentOf });
