import { isMasked } from './liquid-tags.rules.ts';
import type { Problem } from './problem.rules.ts';
import type { ScannedHtml } from './scan-html.rules.ts';

/** Gmail cuts off an email whose HTML is larger, in bytes. */
const clippedBytes = 102 * 1024;

const whole = { field: 'body', offset: null } as const;

/** @param html as it is sent; the body while it was not rendered */
export function sizeProblems(html: string): Problem<'too_large'>[] {
  const bytes = new TextEncoder().encode(html).length;
  if (bytes <= clippedBytes) return [];
  const kilobytes = Math.ceil(bytes / 1024);
  return [
    {
      ...whole,
      rule: 'too_large',
      message: `The email has ${kilobytes} kB, and Gmail cuts it off after 102 kB, often before the unsubscribe link; shorten it.`,
      details: { kilobytes },
    },
  ];
}

const littleText = 60;

/** The text part is made of the same words, so an email without words has no text part either. */
export function textProblems({ text, images }: ScannedHtml): Problem<'empty' | 'little_text'>[] {
  if (text === '' && images.length === 0)
    return [{ ...whole, rule: 'empty', message: 'The email is empty; write what it should say.' }];
  if (images.length === 0 || isMasked(text) || text.length >= littleText) return [];
  return [
    {
      ...whole,
      rule: 'little_text',
      message:
        text === ''
          ? 'The email consists of images only and its text part is empty, which spam filters distrust; add text.'
          : 'The email has images and hardly any text, which spam filters distrust; say the most important part in words.',
    },
  ];
}
