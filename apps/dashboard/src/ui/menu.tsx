import { Menu as Base } from '@base-ui/react/menu';
import { Fragment, type ReactElement, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Button } from './button.tsx';
import { Icon, type IconName } from './icon.tsx';
import popup from './popup.module.css';

/** What can be done with a record: an entry of a menu, or a button. */
export interface Action {
  label: string;
  icon?: IconName;
  /** Deletes something or ends something for good. */
  danger?: boolean;
  disabled?: boolean;
  pending?: boolean;
  /** The page to open, instead of `run`. */
  to?: string;
  run?: () => void;
  /** What the action asks or shows: rendered beside the menu, which closes as soon as the action is chosen. */
  dialog?: ReactNode;
}

type MaybeAction = Action | false | null | undefined;

const isAction = (action: MaybeAction): action is Action => Boolean(action);

/** The actions of a record behind a “…” button; those that delete or end something come last, after a line. */
export function ActionMenu({
  label = 'More actions',
  small = false,
  trigger,
  actions,
}: {
  label?: string;
  /** For rows and tiles of a list. */
  small?: boolean;
  /** The button that opens the menu, instead of “…”. */
  trigger?: ReactElement;
  actions: readonly MaybeAction[];
}) {
  const all = actions.filter(isAction);
  const safe = all.filter(({ danger }) => !danger);
  const dangerous = all.filter(({ danger }) => danger);
  if (all.length === 0) return null;
  return (
    <>
      <Base.Root modal={false}>
        <Base.Trigger
          render={
            trigger ?? (
              <Button icon="more" aria-label={label} small={small} kind={small ? 'quiet' : 'plain'} />
            )
          }
        />
        <Base.Portal>
          <Base.Positioner className={popup.positioner} sideOffset={4} align={trigger ? 'start' : 'end'}>
            <Base.Popup className={popup.popup}>
              {safe.map((action) => (
                <Entry key={action.label} action={action} />
              ))}
              {safe.length > 0 && dangerous.length > 0 && <Base.Separator className={popup.separator} />}
              {dangerous.map((action) => (
                <Entry key={action.label} action={action} />
              ))}
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      {all.map(({ label: key, dialog }) => (
        <Fragment key={key}>{dialog}</Fragment>
      ))}
    </>
  );
}

function Entry({ action: { label, icon, danger, disabled, to, run } }: { action: Action }) {
  const className = [popup.item, icon && popup.action, danger && popup.danger].filter(Boolean).join(' ');
  const content = (
    <>
      {icon && <Icon name={icon} size={15} />}
      {label}
    </>
  );
  if (to !== undefined) {
    return (
      <Base.Item className={className} render={<Link to={to} />}>
        {content}
      </Base.Item>
    );
  }
  return (
    <Base.Item className={className} disabled={disabled ?? false} onClick={() => run?.()}>
      {content}
    </Base.Item>
  );
}

/** The action as a button of its own, with its dialog. */
export function ActionButton({ action, primary }: { action: MaybeAction; primary?: boolean }) {
  if (!action) return null;
  const { label, danger, disabled, pending, run, dialog } = action;
  return (
    <>
      <Button
        kind={primary ? 'primary' : danger ? 'danger' : 'plain'}
        disabled={disabled}
        pending={pending ?? false}
        onClick={() => run?.()}
      >
        {label}
      </Button>
      {dialog}
    </>
  );
}
