import { Link } from 'react-router';
import type { Template } from '../../lib/api.ts';
import { useProjectPath } from '../../lib/current.ts';
import { picturedText } from '../../ui/mail-picture.rules.ts';
import { MailThumb } from '../../ui/mail-thumb.tsx';
import styles from './template-tiles.module.css';

/** Templates as pictures of what they look like. */
export function TemplateTiles({ templates }: { templates: readonly Template[] }) {
  const to = useProjectPath();
  return (
    <ul className={styles.tiles} aria-label="Templates">
      {templates.map(({ id, name, subject, body }) => (
        <li key={id}>
          <Link to={to(`templates/${id}`)} className={styles.tile}>
            <MailThumb html={body} />
            <span className={styles.name}>{name}</span>
            <span className={styles.subject}>{picturedText(subject)}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
