import { boxLimits, colorOf, numberOf } from '@postrider/core/content/templates/contract';

/**
 * How the box of a block looks in the document. Its ground is also behind the space that the block keeps from its neighbours, which the style
 * sheet gives as `--over`, `--under` and `--start`.
 */
export function boxLook(stored: unknown): Record<string, string> {
  if (typeof stored !== 'object' || stored === null) return {};
  const { ground, above, below, sides, noPhone } = stored as Record<string, unknown>;
  const [top, bottom, side] = [above, below, sides].map((space) => numberOf(space, 0, boxLimits));
  const color = colorOf(ground, null);
  const style = [
    ...(top || bottom || side || color !== null
      ? [
          `padding:calc(${top}px + var(--over, 0px)) ${side}px calc(${bottom}px + var(--under, 0px)) calc(${side}px + var(--start, 0px))`,
          'margin-block:0',
        ]
      : []),
    ...(color === null ? [] : [`background-color:${color}`]),
  ];
  return {
    'data-box': JSON.stringify(stored),
    ...(style.length > 0 && { style: style.join(';') }),
    ...(noPhone === true && { 'data-no-phone': '' }),
  };
}

/** The box of an element that was copied; null without one, or if it cannot be read. */
export function boxFrom(text: string | undefined): Record<string, unknown> | null {
  try {
    const value: unknown = text === undefined ? null : JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // Pasted from elsewhere.
    return null;
  }
}
