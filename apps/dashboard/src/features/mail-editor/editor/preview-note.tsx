import { hasDarkStyles, type MailScheme } from '../../../ui/mail-scheme.rules.ts';
import styles from './content-preview.module.css';

/** What the dark preview shows, and what it does not. */
export function PreviewNote({ html, scheme }: { html: string; scheme: MailScheme }) {
  if (scheme === 'light') return null;
  return (
    <p className={styles.note}>
      {hasDarkStyles(html)
        ? 'With the email’s own dark styles, as Apple Mail shows it. Gmail and Outlook change colours in their own way.'
        : 'This email has no dark styles. Some clients show it as here; Gmail and Outlook change its colours in their own way.'}
    </p>
  );
}
