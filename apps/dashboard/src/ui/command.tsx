import { Autocomplete } from '@base-ui/react/autocomplete';
import { Dialog } from '@base-ui/react/dialog';
import { Link } from 'react-router';
import styles from './command.module.css';
import dialog from './dialog.module.css';
import { Icon, type IconName } from './icon.tsx';

/** An entry: a page to open, or something to do. */
export interface Command {
  id: string;
  label: string;
  icon: IconName;
  /** Tells entries of the same name apart: a subject, a status. */
  detail?: string | undefined;
  /** Shortcut, as it is shown. */
  keys?: string | undefined;
  to?: string | undefined;
  /** An address outside of the dashboard; opens in a new tab. */
  href?: string | undefined;
  run?: (() => void) | undefined;
}

export interface CommandGroup {
  label: string;
  items: readonly Command[];
}

interface CommandDialogProps {
  /** The accessible name. */
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  groups: readonly CommandGroup[];
  /** Announced and shown below the list: what is loading, or that nothing was found. */
  status: string | null;
  /** Called with each entry that is chosen; the dialog closes by itself. */
  onChoose: (command: Command) => void;
  onClose: () => void;
}

/** Finds an entry among groups by text. The arrow keys move, Enter chooses, Escape closes. */
export function CommandDialog(props: CommandDialogProps) {
  const { label, placeholder, text, onText, groups, status, onChoose, onClose } = props;
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={dialog.backdrop} />
        <Dialog.Viewport className={styles.viewport}>
          <Dialog.Popup className={styles.popup} aria-label={label}>
            <Autocomplete.Root
              open
              inline
              items={groups}
              filter={null}
              itemToStringValue={(item: Command) => item.label}
              autoHighlight="always"
              keepHighlight
              value={text}
              onValueChange={onText}
            >
              <div className={styles.field}>
                <Icon name="search" />
                <Autocomplete.Input
                  className={styles.input}
                  aria-label={label}
                  placeholder={placeholder}
                  spellCheck={false}
                />
                <Dialog.Close className={styles.close} aria-label="Close">
                  <kbd>Esc</kbd>
                </Dialog.Close>
              </div>
              <Autocomplete.List className={styles.list}>
                {(group: CommandGroup) => (
                  <Autocomplete.Group key={group.label} items={group.items} className={styles.group}>
                    <Autocomplete.GroupLabel className={styles.title}>{group.label}</Autocomplete.GroupLabel>
                    <Autocomplete.Collection>
                      {(item: Command) => (
                        <Entry
                          key={item.id}
                          item={item}
                          onChoose={() => {
                            onClose();
                            onChoose(item);
                          }}
                        />
                      )}
                    </Autocomplete.Collection>
                  </Autocomplete.Group>
                )}
              </Autocomplete.List>
              <Autocomplete.Status className={status === null ? 'visually-hidden' : styles.status}>
                {status ?? `${groups.reduce((sum, { items }) => sum + items.length, 0)} results`}
              </Autocomplete.Status>
            </Autocomplete.Root>
          </Dialog.Popup>
        </Dialog.Viewport>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Entry({ item, onChoose }: { item: Command; onChoose: () => void }) {
  const { label, icon, detail, keys, to, href } = item;
  const target =
    to !== undefined ? (
      <Link to={to} tabIndex={-1} />
    ) : href !== undefined ? (
      // biome-ignore lint/a11y/useAnchorContent: the entry gives it its content
      <a href={href} target="_blank" rel="noreferrer" tabIndex={-1} />
    ) : undefined;
  return (
    <Autocomplete.Item
      value={item}
      className={styles.item}
      {...(target && { render: target })}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <span className={styles.label}>{label}</span>
      {detail && <span className={styles.detail}>{detail}</span>}
      {keys && <kbd className={styles.keys}>{keys}</kbd>}
    </Autocomplete.Item>
  );
}
