import { useState } from 'react';
import { useLocation } from 'react-router';

/** Whether a dialog is open: by a button of the page, or because the page was opened at `#anchor`, as the command palette does. */
export function useOpenAt(anchor: string): [boolean, (open: boolean) => void] {
  const { hash, key } = useLocation();
  const [isOpen, setOpen] = useState(false);
  /** The visit in which it was closed; following the link again opens it again. */
  const [closedIn, setClosedIn] = useState<string | null>(null);
  return [
    isOpen || (hash === `#${anchor}` && closedIn !== key),
    (open) => {
      setOpen(open);
      if (!open) setClosedIn(key);
    },
  ];
}
