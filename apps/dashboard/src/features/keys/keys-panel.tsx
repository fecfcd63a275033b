import { isLeader, useProject } from '../../lib/current.ts';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { KeyField } from './key-field.tsx';
import styles from './keys-panel.module.css';
import { RegenerateKeys } from './regenerate-keys.tsx';

export function KeysPanel() {
  const project = useProject();
  return (
    <Panel title="Keys" aside={isLeader(project) && <RegenerateKeys />} flush>
      <KeyField
        label="Public key"
        hint="Only tracks events (/v1/track). It may stand in a web page or an app."
        value={project.public}
      />
      {project.secret === null ? (
        <div className={styles.note}>
          <Notice tone="busy" title="Owners and admins of the project see its secret key." />
        </div>
      ) : (
        <KeyField
          label="Secret key"
          hint="Does everything that the API can do. It belongs on a server, in an environment variable."
          value={project.secret}
          isSecret
        />
      )}
    </Panel>
  );
}
