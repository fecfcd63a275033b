import styles from './inbox-line.module.css';

interface InboxLineProps {
  sender: string;
  subject: string;
  preheader: string;
}

/** An email as an inbox lists it: the sender, the subject and the preheader. */
export const InboxLine = ({ sender, subject, preheader }: InboxLineProps) => (
  <p className={styles.line}>
    <span className={styles.sender}>{sender}</span>
    <span>
      <span className={styles.subject}>{subject || 'No subject yet'}</span>
      {preheader && <span className={styles.preheader}> {preheader}</span>}
    </span>
  </p>
);
