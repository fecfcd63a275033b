import { isLeader, useProject } from '../../../lib/current.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { KeyField } from './key-field.tsx';
import styles from './keys-panel.module.css';
import { RegenerateKeys } from './regenerate-keys.tsx';

export function KeysPanel() {
  const project = useProject();
  return (
    <Panel title="Keys" aside={isLeader(project) && <RegenerateKeys />} flush>
      <KeyField
        label="Public key"
        hint="Can only track events (/v1/track). Safe to use in a browser or an app."
        value={project.public}
      />
      {project.secret === null ? (
        <div className={styles.note}>
          <Notice tone="busy" title="Only owners and admins of the project can see the secret key." />
        </div>
      ) : (
        <KeyField
          label="Secret key"
          hint="Gives full access to the API. Keep it on your server, for example in an environment variable."
          value={project.secret}
          isSecret
        />
      )}
    </Panel>
  );
}
