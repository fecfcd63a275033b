import type { OwnFinding } from './finding.rules.ts';
import { maskedCharacter } from './liquid-tags.rules.ts';
import type { ScannedHtml, ScannedImage } from './scan-html.rules.ts';

/** Sources that cannot be loaded, images without alternative text, and images without a width. */
export const checkImages = ({ images }: ScannedHtml): OwnFinding[] =>
  images.flatMap((image) =>
    [sourceProblem(image), altProblem(image), widthProblem(image)].flatMap((problem) =>
      problem ? [{ ...problem, field: 'body' as const, offset: image.offset }] : [],
    ),
  );

type Problem = Pick<OwnFinding, 'severity' | 'text'>;

function sourceProblem({ attributes: { src = '' } }: ScannedImage): Problem | null {
  const source = src.trim();
  if (source === '')
    return { severity: 'error', text: 'An image has no source; choose one or remove the image.' };
  if (source.startsWith(maskedCharacter) || /^(https?:\/\/|cid:)/i.test(source)) return null;
  if (/^data:/i.test(source))
    return {
      severity: 'warning',
      text: 'An image is written into the HTML (data:), which Gmail and Outlook do not show; upload it instead.',
    };
  return {
    severity: 'error',
    text: `The source of ${nameOf(source)} is not a complete address; begin it with https://.`,
  };
}

/** An empty alternative text marks decoration, which no tracking pixel or line needs to explain. */
function altProblem({ attributes: { src = '', alt, width = '' } }: ScannedImage): Problem | null {
  const image = nameOf(src);
  if (alt === undefined)
    return {
      severity: 'warning',
      text: `${capital(image)} has no alternative text; describe it, or set alt="" if it is decoration.`,
    };
  if (alt.trim() !== '' || (width !== '' && Number.parseInt(width, 10) < decorationWidth)) return null;
  return {
    severity: 'hint',
    text: `The alternative text of ${image} is empty; describe what it shows unless it is decoration.`,
  };
}

/** Images narrower than this, in pixels, are taken for lines, icons and pixels. */
const decorationWidth = 48;

const widthProblem = ({ attributes: { src = '', width } }: ScannedImage): Problem | null =>
  width === undefined || width.trim() === ''
    ? {
        severity: 'hint',
        text: `${capital(nameOf(src))} has no width attribute, so Outlook shows it in its full size; add width="…".`,
      }
    : null;

/** By the name of its file. */
function nameOf(source: string): string {
  const file = /([^/?#]{1,40})(?:[?#].*)?$/.exec(source.trim())?.[1] ?? '';
  return file === '' || file.includes(maskedCharacter) || /^data:/i.test(source)
    ? 'an image'
    : `the image “${file}”`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
