import { useWidth } from '../lib/use-width.ts';
import { withMailDefaults } from './mail-defaults.rules.ts';
import { picturedText } from './mail-picture.rules.ts';
import styles from './mail-thumb.module.css';

/** In CSS pixels: the column of most emails with its margin. */
const width = 640;

/** The top of a template as a small picture, as wide as its place. What it is of has its name beside it, so screen readers skip it. */
export function MailThumb({ html }: { html: string }) {
  const [place, space] = useWidth<HTMLSpanElement>(width / 4);
  const scale = space / width;
  return (
    <span ref={place} className={styles.thumb} aria-hidden="true">
      <iframe
        className={styles.page}
        style={{ width, scale, height: `${100 / scale}%` }}
        title="Picture"
        tabIndex={-1}
        loading="lazy"
        sandbox=""
        referrerPolicy="no-referrer"
        srcDoc={withMailDefaults(picturedText(html))}
      />
    </span>
  );
}
