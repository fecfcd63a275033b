import { beginsMasked, isMasked } from './liquid-tags.rules.ts';
import { collectProblems, type Problem } from './problem.rules.ts';
import type { ScannedHtml, ScannedImage } from './scan-html.rules.ts';

type Any = Problem<'image_source' | 'image_embedded' | 'image_text' | 'image_width'>;
type ImageProblem = Pick<Any, 'rule' | 'level' | 'message'>;

/** Sources that cannot be loaded, images without alternative text, and images without a width. */
export const imageProblems = ({ images }: ScannedHtml): Any[] =>
  collectProblems(images, (image) =>
    [sourceProblem(image), altProblem(image), widthProblem(image)].flatMap((problem) =>
      problem ? [{ ...problem, field: 'body' as const, offset: image.offset }] : [],
    ),
  );

function sourceProblem({ attributes: { src = '' } }: ScannedImage): ImageProblem | null {
  const source = src.trim();
  if (source === '')
    return { rule: 'image_source', message: 'An image has no source; choose one or remove the image.' };
  if (beginsMasked(source) || /^(https?:\/\/|cid:)/i.test(source)) return null;
  if (/^data:/i.test(source))
    return {
      rule: 'image_embedded',
      message:
        'An image is written into the HTML (data:), which Gmail and Outlook do not show; upload it instead.',
    };
  return {
    rule: 'image_source',
    message: `The source of ${nameOf(source)} is not a complete address; begin it with https://.`,
  };
}

/** An empty alternative text marks decoration, which no tracking pixel or line needs to explain. */
function altProblem({ attributes: { src = '', alt, width = '' } }: ScannedImage): ImageProblem | null {
  const image = nameOf(src);
  if (alt === undefined)
    return {
      rule: 'image_text',
      message: `${capital(image)} has no alternative text; describe it, or set alt="" if it is decoration.`,
    };
  if (alt.trim() !== '' || (width !== '' && Number.parseInt(width, 10) < decorationWidth)) return null;
  return {
    rule: 'image_text',
    level: 'hint',
    message: `The alternative text of ${image} is empty; describe what it shows unless it is decoration.`,
  };
}

/** Images narrower than this, in pixels, are taken for lines, icons and pixels. */
const decorationWidth = 48;

const widthProblem = ({ attributes: { src = '', width } }: ScannedImage): ImageProblem | null =>
  width === undefined || width.trim() === ''
    ? {
        rule: 'image_width',
        message: `${capital(nameOf(src))} has no width attribute, so Outlook shows it in its full size; add width="…".`,
      }
    : null;

/** What is read of a source to name it. */
const longestName = 2_000;

/** By the name of its file. */
function nameOf(source: string): string {
  const file = /([^/?#]{1,40})(?:[?#].*)?$/.exec(source.trim().slice(0, longestName))?.[1] ?? '';
  return file === '' || isMasked(file) || /^data:/i.test(source) ? 'an image' : `the image “${file}”`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
