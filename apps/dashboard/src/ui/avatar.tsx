import styles from './avatar.module.css';

const hues = 6;

/** Always the same colour for the same text. */
const hueOf = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973, 7) % hues;

/**
 * The first letter of a name in a colour of its own, so that rows are told apart at a glance. The letter is drawn by the style
 * sheet: it is no text, so it belongs to no label.
 */
export const Avatar = ({ name }: { name: string }) => (
  <span
    className={styles.avatar}
    data-hue={hueOf(name)}
    data-letter={[...name.trim()][0]?.toUpperCase() ?? '?'}
    aria-hidden="true"
  />
);
