import { Avatar } from '../../../ui/avatar.tsx';
import styles from './inbox-line.module.css';

interface InboxLineProps {
  sender: string;
  subject: string;
  preheader: string;
  /** The text of the email. Inboxes show its beginning when there is no preheader. */
  text: string;
}

/** An email as an inbox lists it: the sender, the subject, and the preheader or the beginning of the text. */
export const InboxLine = ({ sender, subject, preheader, text }: InboxLineProps) => (
  <div className={styles.line}>
    <Avatar name={sender} />
    <p className={styles.sender}>{sender}</p>
    <p className={styles.content}>
      <span className={styles.subject}>{subject || 'No subject yet'}</span>
      <span className={styles.preheader}> {preheader || beginningOf(text)}</span>
    </p>
  </div>
);

const shown = 200;

const beginningOf = (text: string): string => text.slice(0, shown).replace(/\s+/g, ' ').trim();
