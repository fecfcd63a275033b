import type { OwnFinding } from './finding.rules.ts';
import { maskedCharacter } from './liquid-tags.rules.ts';
import type { ScannedHtml } from './scan-html.rules.ts';

/** Gmail cuts off an email whose HTML is larger, in bytes. */
export const clippedBytes = 102 * 1024;

const whole = { field: 'body', offset: null } as const;

/** @param html as it is sent; the body while it was not rendered */
export function checkSize(html: string): OwnFinding[] {
  const bytes = new TextEncoder().encode(html).length;
  if (bytes <= clippedBytes) return [];
  const size = `${Math.ceil(bytes / 1024)} kB`;
  return [
    {
      ...whole,
      severity: 'warning',
      text: `The email has ${size}, and Gmail cuts it off after 102 kB, often before the unsubscribe link; shorten it.`,
    },
  ];
}

const littleText = 60;

/** The text part is made of the same words, so an email without words has no text part either. */
export function checkText({ text, images }: ScannedHtml): OwnFinding[] {
  if (text === '' && images.length === 0)
    return [{ ...whole, severity: 'error', text: 'The email is empty; write what it should say.' }];
  if (images.length === 0 || text.includes(maskedCharacter) || text.length >= littleText) return [];
  return [
    {
      ...whole,
      severity: 'warning',
      text:
        text === ''
          ? 'The email consists of images only and its text part is empty, which spam filters distrust; add text.'
          : 'The email has images and hardly any text, which spam filters distrust; say the most important part in words.',
    },
  ];
}
