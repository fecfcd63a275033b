import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import popup from './popup.module.css';
import styles from './tooltip.module.css';

/** Shows a text while its element is hovered or focused. Screen readers need the text in the element's name too. */
export const Tooltip = ({ text, children }: { text: string; children: ReactElement }) => (
  <Base.Root>
    <Base.Trigger render={children} delay={300} />
    <Base.Portal>
      <Base.Positioner className={popup.positioner} sideOffset={6}>
        <Base.Popup className={styles.popup}>{text}</Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
